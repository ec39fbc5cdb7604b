package audit

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/http"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/snapshot"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// file looks at the objects of a file, as kubectl prints them.
func (o *Options) file(ctx context.Context, c *collector, from snapshot.Snapshot) {
	in := namespaces{}
	all, err := incident.Releases(in.taken(incident.Objects(ctx, from, o.File)), o.Namespace, "")
	if err != nil {
		c.problem(err)
	}
	at := place{name: o.Cluster, in: in}
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
		for object, err := range objects {
			if meta, ok := object["metadata"].(map[string]any); ok && object["kind"] == "Namespace" && object["apiVersion"] == "v1" {
				name, _ := meta["name"].(string)
				n[name] = object
			}
			if !yield(object, err) {
				return
			}
		}
	}
}

// clusters looks at the objects of clusters.
func (o *Options) clusters(ctx context.Context, c *collector) error {
	contexts, err := o.contexts()
	for _, name := range contexts {
		access := o.Access
		access.Context = name
		cluster, err := access.Open()
		if err != nil {
			c.problem(err)
			c.clusters = append(c.clusters, Cluster{Name: name, Incomplete: true})
			continue
		}
		in, unread := o.markers(ctx, cluster, c.by.Config)
		begin := len(c.all)
		at := place{name: cmp.Or(o.Cluster, cluster.Name), address: incident.Address{Context: cluster.Name, Kubeconfig: access.Kubeconfig}, in: in}
		if at.repo, err = o.repository(at.name); err != nil {
			return err
		}
		at.controller, err = cluster.HelmController(ctx)
		if o.HelmStorage {
			var err error
			if at.storage, err = storageOf(ctx, cluster, o.Namespace); err != nil {
				c.problem(err)
			}
		}
		found := c.cluster(ctx, at, o.releases(ctx, cluster))
		if err != nil && found.Releases > 0 { // else what could not be read is told already
			c.problem(err)
			found.Incomplete = true
		}
		if at.repo != nil && !found.Incomplete {
			c.missing = append(c.missing, at.repo.missing(at.name, o.Namespace)...)
		}
		if unread != nil && found.Releases > 0 {
			c.problem(fmt.Errorf("tier markers of Namespaces are not known, a tier may be another: %w", unread))
			found.Incomplete = true
		}
		if kind, ok := kindOf(o.WriteReports); ok {
			if err := kind.write(ctx, cluster, o.Namespace, slices.Concat(c.all[begin:], found.unread), c.by.Engine.InForce(), !found.Incomplete); err != nil {
				c.problem(err)
			}
		}
		c.clusters = append(c.clusters, found)
	}
	return err
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
	case config.Spec.TierMarkers == release.ForbidMarkers:
		return in, nil
	case o.Namespace != "":
		object, err := cluster.Get(ctx, live.Namespaces, "", o.Namespace, nil)
		if live.Is(err, http.StatusNotFound) {
			err = nil
		}
		in[o.Namespace] = object
		return in, err
	}
	for object, err := range cluster.List(ctx, live.Query{Resource: live.Namespaces, Metadata: true}) {
		if err != nil {
			return in, err
		}
		meta, _ := object["metadata"].(map[string]any)
		name, _ := meta["name"].(string)
		in[name] = object
	}
	return in, nil
}

// contexts returns those that are looked at; an empty one is the current.
func (o *Options) contexts() ([]string, error) {
	switch {
	case o.All:
		return o.Access.Contexts()
	case len(o.Contexts) > 0:
		return o.Contexts, nil
	}
	return []string{""}, nil
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
