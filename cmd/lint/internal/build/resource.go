package build

import (
	"encoding/json"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Resource is an object of a build.
type Resource struct {
	Kind, Name, Namespace string

	plain  map[string]any     // the object, if all of it is plain
	dollar bool               // there is a "$" in it
	node   *resource.Resource // what kustomize has built, if it is not plain
}

// newResource returns what kustomize has built. Of what is plain it keeps no nodes.
func newResource(res *resource.Resource) *Resource {
	is := identityOf(res)
	out := &Resource{Kind: is.kind, Name: is.name, Namespace: is.namespace, node: res}
	if p := plainObject(res.YNode()); p.object != nil {
		out.plain, out.dollar, out.node = p.object, p.dollar, nil
	}
	return out
}

// Object returns the resource in the shape that encoding/json decodes to. It must not be
// changed.
func (r *Resource) Object() (map[string]any, error) {
	if r.plain != nil {
		return r.plain, nil
	}
	return objectByText(r.node)
}

// text returns the resource as kustomize writes it.
func (r *Resource) text() ([]byte, error) {
	if r.plain == nil {
		return r.node.AsYAML()
	}
	data, err := json.Marshal(r.plain)
	if err != nil {
		return nil, err
	}
	return yaml.JSONToYAML(data)
}

// substituteKey is the label or annotation by which an object is left out.
// Source: github.com/fluxcd/pkg/kustomize, kustomize_varsub.go.
const (
	substituteKey      = "kustomize.toolkit.fluxcd.io/substitute"
	substituteDisabled = "disabled"
)

// substitutionOff reports whether no variables are substituted in the resource.
func (r *Resource) substitutionOff() bool {
	if r.plain == nil {
		return r.node.GetLabels()[substituteKey] == substituteDisabled || r.node.GetAnnotations()[substituteKey] == substituteDisabled
	}
	off := func(field string) bool {
		return object.At(r.plain, "metadata", field, substituteKey) == substituteDisabled
	}
	return off("labels") || off("annotations")
}
