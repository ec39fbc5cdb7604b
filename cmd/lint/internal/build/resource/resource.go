package resource

import (
	"encoding/json"

	"go.yaml.in/yaml/v2"
	"sigs.k8s.io/kustomize/api/resource"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// Resource is an object of a build.
type Resource struct {
	Kind, Name, Namespace string

	plain  map[string]any     // the object, if all of it is plain
	dollar bool               // there is a "$" in it
	node   *resource.Resource // what kustomize has built, if it is not plain
}

// New returns what kustomize has built. Of what is plain it keeps no nodes.
func New(res *resource.Resource) *Resource {
	is := identityOf(res)
	out := &Resource{Kind: is.kind, Name: is.name, Namespace: is.namespace, node: res}
	if p := PlainOf(res.YNode()); p.Object != nil {
		out.plain, out.dollar, out.node = p.Object, p.Dollar, nil
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

// Substitute substitutes the variables in a resource, as [variables.Variables.InText] does. What it returns is shared.
func (r *Resource) Substitute(v *variables.Variables) (object map[string]any, reasons map[string]string, err error) {
	if !v.On || r.substitutionOff() {
		object, err = r.Object()
		return object, nil, err
	}
	if r.plain != nil && !r.dollar {
		return r.plain, nil, v.Check()
	}
	if r.plain != nil {
		if object, reasons, ok := v.InValues(r.plain); ok {
			return object, reasons, nil
		}
	}
	text, err := r.text()
	if err != nil {
		return nil, nil, err
	}
	return v.InText(string(text))
}

// text returns the resource as kustomize writes it.
func (r *Resource) text() ([]byte, error) {
	if r.plain == nil {
		return r.node.AsYAML()
	}
	return yaml.Marshal(wholeNumbers(r.plain))
}

// wholeNumbers returns a value of JSON in which numbers are whole if they are written so: YAML writes a large number
// with a fraction in another way.
func wholeNumbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for key, inner := range value {
			out[key] = wholeNumbers(inner)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, inner := range value {
			out[i] = wholeNumbers(inner)
		}
		return out
	case float64:
		if whole := int64(value); float64(whole) == value {
			return whole
		}
	}
	return value
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

// dataSize returns the size of the texts in data.
func (r *Resource) dataSize() int {
	size := 0
	data, _ := r.plain["data"].(map[string]any)
	for _, value := range data {
		text, _ := value.(string)
		size += len(text)
	}
	return size
}

// Readable returns a copy of a built object as it reads, with unknown variables as ${NAME}.
func Readable(obj map[string]any) map[string]any {
	raw, err := json.Marshal(trace.Without(obj))
	var out map[string]any
	if err != nil || json.Unmarshal(raw, &out) != nil {
		return obj
	}
	out, _ = variables.UnmarkAll(out).(map[string]any)
	return out
}
