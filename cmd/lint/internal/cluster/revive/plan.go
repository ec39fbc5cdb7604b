package revive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Step is what is planned for a release, and what came of it.
type Step struct {
	Release release.Name `json:"release"`
	// Ready is true if nothing has to be done.
	Ready bool `json:"ready"`
	// State says how it is.
	State string `json:"state"`
	// Do is the command of Flux that does the same; absent if nothing is done.
	Do string `json:"do,omitempty"`
	// Then and Otherwise are what follows once the cause is gone, and while it stays.
	Then      string `json:"then,omitempty"`
	Otherwise string `json:"otherwise,omitempty"`
	// Risk is what it does besides.
	Risk string `json:"risk,omitempty"`
	// Left says why nothing is done; absent if something is.
	Left string `json:"left,omitempty"`
	// First are releases that it depends on and that are not Ready: until they are, a request is lost.
	First []release.Name `json:"first,omitempty"`
	// HoldsUp is what waits for it; absent if nothing does, or if Kustomizations are not known.
	HoldsUp *standstill.Held `json:"holdsUp,omitempty"`
	// Afterwards are the commands that have Kustomizations look at it at once, in this order; without them they
	// wait for their retry interval.
	Afterwards []string `json:"afterwards,omitempty"`
	// Result and Message are what came of it; absent of what was only planned.
	Result  Result `json:"result,omitempty"`
	Message string `json:"message,omitempty"`

	request  request
	rank     int  // how many steps come before it, one after the other
	restores bool // the version from before, and no more
}

// plan returns what to do about a release.
func plan(j incident.Judged) Step {
	i := j.Incident
	s := Step{Release: i.Release, State: i.State, Ready: i.Healthy}
	switch {
	case j.Live.Deleting:
		s.Left = "it is being deleted"
	case j.Settings.Suspend:
		s.Left = "it is suspended; whoever did that takes it up again: " + j.Command("flux resume helmrelease NAME")
	case i.Healthy:
		s.Left = "it is Ready"
	case j.Live.Requested, j.Live.Force, j.Live.Reset:
		s.Left = "helm-controller has not handled an earlier request yet"
	case !i.Stuck:
		s.Left = "Flux goes on by itself: " + i.Next[0]
		switch {
		case strings.Contains(i.Next[0], incident.Overdue):
			s.Left = strings.Join(i.Next, "; ")
		case i.Unaided():
			s.Left = "Flux may go on by itself: " + strings.Join(i.Next, "; ")
		}
	default:
		s.act(i)
	}
	return s
}

func (s *Step) act(i incident.Incident) {
	chosen, way, ok := choose(i.Outlooks)
	switch {
	case ok:
		s.request, s.restores = chosen, way.Restores
		s.Do, s.Then, s.Otherwise = way.Do, way.Then, way.Otherwise
		for _, r := range i.Revive {
			if r.Do == way.Do {
				s.Risk = r.Risk
			}
		}
	case len(i.Revive) == 0:
		s.Left = "nothing that is known helps"
	default:
		s.Left = fmt.Sprintf("no request helps, but this does: %s; risk %s", i.Revive[0].Do, i.Revive[0].Risk)
	}
}

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
		all = append(all, name)
	}
	return words.Distinct(all)
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

// order puts releases behind those that they depend on, since a request is lost as long as these are not Ready, and those
// that hold up most first. It notes what each holds up, if Kustomizations could be listed.
func (r *runner) order(ctx context.Context, steps []Step) {
	applied, unlisted := r.Kustomizations(ctx)
	in := standstill.Of(applied, r.Beside(ctx, steps[0].Release.Namespace))
	for i := range steps {
		s := &steps[i]
		if s.Do != "" {
			s.First = in.First(s.Release)
		}
		if held := in.Below(s.Release); unlisted == nil && held.Len() > 0 {
			s.HoldsUp = &held
			for _, late := range held.After {
				s.Afterwards = append(s.Afterwards, r.by.Address.At(late.Command()))
			}
		}
	}
	rank(steps)
	slices.SortStableFunc(steps, func(a, b Step) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		return b.HoldsUp.Len() - a.HoldsUp.Len()
	})
}

// rank counts for each step how many come one after the other before it. In a circle none can be first.
func rank(steps []Step) {
	at := map[release.Name]*Step{}
	for i := range steps {
		at[steps[i].Release] = &steps[i]
	}
	for range steps {
		moved := false
		for i := range steps {
			s := &steps[i]
			for _, name := range s.First {
				if on := at[name]; on != nil && s.rank <= on.rank && on.rank < len(steps) {
					s.rank, moved = on.rank+1, true
				}
			}
		}
		if !moved {
			return
		}
	}
}

// batches returns the steps that may be done at the same time, those first that come first.
func batches(steps []Step) [][]Step {
	var out [][]Step
	for from := 0; from < len(steps); {
		to := from
		for to < len(steps) && steps[to].rank == steps[from].rank {
			to++
		}
		out, from = append(out, steps[from:to]), to
	}
	return out
}
