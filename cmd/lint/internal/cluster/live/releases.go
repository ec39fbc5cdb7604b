package live

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"

	"github.com/flux-remedy/remedy/internal/slim"
	"github.com/flux-remedy/remedy/pkg/loss"
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

// unclaimed is what says neither which Helm release a HelmRelease has nor whether it is ready.
var unclaimed = &slim.Node{Inner: map[string]*slim.Node{
	"metadata": {Inner: map[string]*slim.Node{"managedFields": {Drop: true}, "annotations": {Drop: true}}},
	"spec":     {Inner: map[string]*slim.Node{"values": {Drop: true}, "postRenderers": {Drop: true}, "valuesFrom": {Drop: true}}},
	"status":   {Inner: map[string]*slim.Node{"history": {Drop: true}}},
}}

// kustomizations are what applies the releases. Of them the inventory is not read.
var (
	kustomizations = Resource{Group: "kustomize.toolkit.fluxcd.io", Plural: "kustomizations"}
	unapplied      = &slim.Node{Inner: map[string]*slim.Node{
		"metadata": {Inner: map[string]*slim.Node{"managedFields": {Drop: true}, "annotations": {Drop: true}}},
		"spec":     {Inner: map[string]*slim.Node{"patches": {Drop: true}, "postBuild": {Drop: true}}},
		"status":   {Inner: map[string]*slim.Node{"inventory": {Drop: true}, "history": {Drop: true}}},
	}}
)

// Kustomizations reads those of the cluster: none if it does not know them. What needs them does without
// where they cannot be read: the right to list them is optional.
func (c *Cluster) Kustomizations(ctx context.Context) (all []map[string]any, err error) {
	for object, err := range c.List(ctx, Query{Resource: kustomizations, Without: unapplied}) {
		switch {
		case errors.Is(err, ErrNoKind) || Is(err, http.StatusNotFound):
			return nil, nil
		case Is(err, http.StatusForbidden):
			return nil, ErrForbidden
		case err != nil:
			return nil, err
		}
		all = append(all, object)
	}
	return all, nil
}

// ErrForbidden is why Kustomizations are not read where the account has not the right to.
var ErrForbidden = errors.New("the account may not list Kustomizations")

// Beside reads the HelmReleases of the cluster or, without the right to do that, of a namespace: of them only what
// says which Helm release they have, and how they are.
func (c *Cluster) Beside(ctx context.Context, namespace string) []map[string]any {
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
	// Beside are the other HelmReleases of the cluster unless all were asked for: as many as
	// may be listed, and of them only what says which Helm release they have, and how they are.
	Beside []map[string]any
	// Kustomizations are those of the cluster; Unlisted is why they are not read, nil if they are.
	Kustomizations []map[string]any
	Unlisted       error
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
	if len(found.Objects) == 0 {
		return found, nil
	}
	if found.Controller, err = c.HelmController(ctx); err != nil {
		return found, err
	}
	if !all {
		found.Beside = c.Beside(ctx, namespace)
	}
	found.Kustomizations, found.Unlisted = c.Kustomizations(ctx)
	return found, nil
}

// deployments are where the controllers of Flux run.
var deployments = Resource{Group: "apps", Version: "v1", Plural: "deployments"}

// HelmController returns the Deployment of helm-controller where "flux bootstrap" and
// "flux install" put it. It is nil if it is not there, or must not be read: that right is
// optional.
func (c *Cluster) HelmController(ctx context.Context) (map[string]any, error) {
	object, err := c.Get(ctx, deployments, "flux-system", "helm-controller", unread)
	if Is(err, http.StatusNotFound) || Is(err, http.StatusForbidden) {
		return nil, nil
	}
	return object, err
}

// HelmRecord returns what a release consists of by Helm's own record of it: the newest revision in
// its status, in the namespace where Helm keeps it. Of the Secret only that one is read.
func (c *Cluster) HelmRecord(ctx context.Context, r *release.Release, status *release.Live) (*loss.Release, error) {
	latest := status.Status.History.Latest()
	if latest == nil {
		return nil, fmt.Errorf("its status names no record of Helm")
	}
	namespace := status.Status.StorageNamespace
	if namespace == "" {
		namespace = r.Settings.Target.StorageNamespace
	}
	q := Query{
		Resource: Resource{Version: "v1", Plural: "secrets"}, Namespace: namespace,
		Labels:  "owner=helm,name=" + latest.Name + ",version=" + strconv.Itoa(latest.Version),
		Without: &slim.Node{Inner: map[string]*slim.Node{"metadata": {Drop: true}}},
	}
	for object, err := range c.List(ctx, q) {
		if err != nil {
			return nil, fmt.Errorf("--helm-storage: %w", err)
		}
		data, _ := object["data"].(map[string]any)
		text, _ := data["release"].(string)
		record, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("the record cannot be read: %w", err)
		}
		return loss.FromRecord(record)
	}
	return nil, fmt.Errorf("the record of Helm's revision %d is not in namespace %s", latest.Version, namespace)
}
