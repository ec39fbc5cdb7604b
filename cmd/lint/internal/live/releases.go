package live

import (
	"cmp"
	"context"
	"iter"
	"net/http"

	"github.com/flux-remedy/remedy/internal/slim"
	"github.com/flux-remedy/remedy/pkg/release"
)

// HelmReleases are the objects that this program is about.
var HelmReleases = Resource{Group: release.Group, Plural: "helmreleases"}

// Namespaces are those of the releases.
var Namespaces = Resource{Version: "v1", Plural: "namespaces"}

// unread is what no question depends on. The API server cannot leave out values; they
// are dropped as they arrive.
var unread = &slim.Node{Inner: map[string]*slim.Node{
	"metadata": {Inner: map[string]*slim.Node{"managedFields": {Drop: true}}},
	"spec":     {Inner: map[string]*slim.Node{"values": {Drop: true}}},
}}

// WithoutValues keeps the managed fields, which say who set what.
var WithoutValues = &slim.Node{Inner: map[string]*slim.Node{"spec": {Inner: map[string]*slim.Node{"values": {Drop: true}}}}}

// Releases reads the HelmReleases of a namespace, without their values; an empty one
// means all namespaces. With a name it reads that one, or nothing if it is not there.
func (c *Cluster) Releases(ctx context.Context, namespace, name string) iter.Seq2[map[string]any, error] {
	if name == "" {
		return c.List(ctx, Query{Resource: HelmReleases, Namespace: namespace, Without: unread})
	}
	return func(yield func(map[string]any, error) bool) {
		object, err := c.Get(ctx, HelmReleases, namespace, name, unread)
		if Is(err, http.StatusNotFound) {
			return
		}
		yield(object, err)
	}
}

// unclaimed is what does not say which Helm release a HelmRelease has.
var unclaimed = &slim.Node{Inner: map[string]*slim.Node{
	"metadata": {Inner: map[string]*slim.Node{"managedFields": {Drop: true}, "annotations": {Drop: true}}},
	"spec":     {Inner: map[string]*slim.Node{"values": {Drop: true}, "postRenderers": {Drop: true}, "valuesFrom": {Drop: true}}},
	"status":   {Drop: true},
}}

// beside reads the HelmReleases of the cluster or, without the right to do that, of a namespace.
func (c *Cluster) beside(ctx context.Context, namespace string) []map[string]any {
	var all []map[string]any
	for _, in := range []string{"", namespace} {
		for object, err := range c.List(ctx, Query{Resource: HelmReleases, Namespace: in, Without: unclaimed}) {
			if err != nil {
				break // what else is there is not what was asked
			}
			all = append(all, object)
		}
		if len(all) > 0 {
			break
		}
	}
	return all
}

// Found are the HelmReleases that were asked for.
type Found struct {
	Objects []map[string]any
	// Beside are the other HelmReleases of the cluster if one was asked for by its name: as many as
	// may be listed, and of them only what says which Helm release they have.
	Beside []map[string]any
	// Where says where they were looked for: "in namespace apps of cluster production".
	Where string
	// Cluster is the one that was asked; empty in a pod. Controller is the Deployment of its
	// helm-controller, nil if it is not known.
	Cluster    string
	Controller map[string]any
}

// Releases opens the cluster and reads the HelmReleases of a namespace: that of the context
// if it is empty, unless all are asked for.
func (a Access) Releases(ctx context.Context, namespace, name string, all bool) (Found, error) {
	c, err := a.Open()
	if err != nil {
		return Found{}, err
	}
	found := Found{Where: "in cluster " + c.Label(), Cluster: c.Name}
	if !all {
		namespace = cmp.Or(namespace, c.Namespace)
		found.Where = "in namespace " + namespace + " of cluster " + c.Label()
	}
	for object, err := range c.Releases(ctx, namespace, name) {
		if err != nil {
			return Found{}, err
		}
		found.Objects = append(found.Objects, object)
	}
	if len(found.Objects) > 0 {
		found.Controller, err = c.HelmController(ctx)
	}
	if len(found.Objects) > 0 && name != "" {
		found.Beside = c.beside(ctx, namespace)
	}
	return found, err
}
