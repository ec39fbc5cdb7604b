package audit

import (
	"context"
	"iter"
	"net/http"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// file looks at the objects of a file, as kubectl prints them.
func (o *Options) file(ctx context.Context, c *collector, from load.Snapshot) {
	in, around := namespaces{}, &standstill.Cluster{}
	all, err := incident.Releases(around.Adding(in.taken(incident.Objects(ctx, from, o.File))), o.Namespace, "")
	if err != nil {
		c.problem(err)
	}
	at := place{name: o.Cluster, in: in, around: around}
	if at.repo, err = o.repository(at.name); err != nil {
		c.problem(err)
	}
	c.cluster(ctx, at, each(all))
	if at.repo != nil && len(c.problems) == 0 {
		c.missing = at.repo.missing(at.name, o.Namespace)
	}
}

// taken notes the Namespaces among objects.
func (n namespaces) taken(objects iter.Seq2[map[string]any, error]) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		for one, err := range objects {
			if one["kind"] == "Namespace" && one["apiVersion"] == "v1" {
				n[object.Name(one)] = one
			}
			if !yield(one, err) {
				return
			}
		}
	}
}

// releases reads the releases of a cluster, with who set what if that is asked for.
func (o *Options) releases(ctx context.Context, cluster *live.Cluster) iter.Seq2[map[string]any, error] {
	if o.Repo == nil {
		return cluster.Releases(ctx, o.Namespace, "")
	}
	return cluster.List(ctx, live.Query{Resource: live.HelmReleases, Namespace: o.Namespace, Without: live.WithoutValues})
}

// repository returns what Git says of a cluster; nil if that is not asked for.
func (o *Options) repository(cluster string) (*repository, error) {
	if o.Repo == nil {
		return nil, nil
	}
	return repositoryOf(o.Repo, cluster)
}

// markers reads the Namespaces, whose markers may decide a tier: of all nothing but the
// metadata.
func (o *Options) markers(ctx context.Context, cluster *live.Cluster, config *rules.Config) (namespaces, error) {
	in := namespaces{}
	switch {
	case config.Spec.TierMarkers == release.ForbidMarkers && o.Selector == "":
		return in, nil
	case o.Namespace != "":
		namespace, err := cluster.Get(ctx, live.Namespaces, "", o.Namespace, nil)
		if live.Is(err, http.StatusNotFound) {
			err = nil
		}
		in[o.Namespace] = namespace
		return in, err
	}
	for namespace, err := range cluster.List(ctx, live.Query{Resource: live.Namespaces, Metadata: true}) {
		if err != nil {
			return in, err
		}
		in[object.Name(namespace)] = namespace
	}
	return in, nil
}

func each(objects []map[string]any) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		for _, object := range objects {
			if !yield(object, nil) {
				return
			}
		}
	}
}
