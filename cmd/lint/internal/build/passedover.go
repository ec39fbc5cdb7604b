package build

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// PassedOver is a resource of a build that is not kept, with the variables in its text. If
// one of them cannot be substituted, Flux applies nothing of the build.
type PassedOver struct {
	What string // ConfigMap dashboards/orders
	// Needs are the variables that have no default there.
	Needs []string
	// Err is why no variable can be substituted in it.
	Err error
}

// needs returns the variables in the text of a resource.
func (r *Resource) needs() PassedOver {
	over := PassedOver{What: r.Kind + " " + strings.TrimPrefix(r.Namespace+"/"+r.Name, "/")}
	text, err := r.text()
	if r.substitutionOff() || err != nil { // kustomize has built it
		return over
	}
	var all Variables
	reasons, err := all.missing(string(text))
	over.Needs, over.Err = slices.Sorted(maps.Keys(reasons)), err
	return over
}

// usesVariables reports quickly whether a resource may use one.
func usesVariables(node *yaml.Node) bool {
	return strings.Contains(node.Value, "${") || slices.ContainsFunc(node.Content, usesVariables)
}

// Undefined returns the first variable that a resource needs and that is known to have no
// value; empty if there is none.
func (v *Variables) Undefined(of PassedOver) string {
	for _, name := range of.Needs {
		_, known := v.Values[name]
		_, unknown := v.unknown[name]
		if v.On && !known && !unknown && (v.open == "" || !variableName().MatchString(name)) {
			return name
		}
	}
	return ""
}
