package revive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/pkg/release"
)

// plan says what to do about the releases that are asked for. If some cannot be read, those
// that can have a plan all the same.
func (o *Options) plan(ctx context.Context, r *runner) ([]Step, error) {
	steps, err := o.steps(ctx, r)
	if len(steps) == 0 {
		return steps, err
	}
	r.order(ctx, steps)
	return steps, err
}

func (o *Options) steps(ctx context.Context, r *runner) ([]Step, error) {
	if o.AllStuck {
		return r.stuck(ctx, o.Namespace)
	}
	steps, unread := []Step{}, []error{}
	for _, name := range o.names(cmp.Or(o.Namespace, r.Namespace)) {
		_, judged, err := r.look(ctx, name)
		switch {
		case errors.Is(err, ErrNone):
			unread = append(unread, err)
		case err != nil:
			return nil, err
		default:
			steps = append(steps, plan(judged))
		}
	}
	if len(steps) == 0 {
		steps = nil
	}
	return steps, errors.Join(unread...)
}

func (o *Options) names(namespace string) []release.Name {
	var all []release.Name
	for _, arg := range o.Releases {
		name := release.Name{Namespace: namespace, Name: arg}
		if before, after, ok := strings.Cut(arg, "/"); ok {
			name = release.Name{Namespace: before, Name: after}
		}
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// stuck plans for all releases of a namespace, or of all, that need a human.
func (r *runner) stuck(ctx context.Context, namespace string) ([]Step, error) {
	steps, unread := []Step{}, []error{}
	for object, err := range r.Releases(ctx, namespace, "") {
		if err != nil {
			return nil, err
		}
		judged, err := r.by.Look(object)
		if err != nil {
			unread = append(unread, err)
		} else if judged.Incident.Stuck {
			steps = append(steps, plan(judged))
		}
	}
	return steps, errors.Join(unread...)
}

// look reads a release and says how it is.
func (r *runner) look(ctx context.Context, name release.Name) (map[string]any, incident.Judged, error) {
	for object, err := range r.Releases(ctx, name.Namespace, name.Name) {
		if err != nil {
			return nil, incident.Judged{}, err
		}
		judged, err := r.by.Look(object)
		return object, judged, err
	}
	return nil, incident.Judged{}, fmt.Errorf("%s: %w in cluster %s", name, ErrNone, r.Label())
}
