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
	if r.substitutionOff() {
		return over
	}
	needs := map[string]string{}
	if r.plain == nil || !simpleNeeds(r.plain, needs) {
		text, err := r.text()
		if err != nil { // kustomize has built it
			return over
		}
		needs, over.Err = new(Variables).missing(string(text))
	}
	over.Needs = slices.Sorted(maps.Keys(needs))
	return over
}

// simpleNeeds adds the variables that have no default in a value, and reports whether all dollars in it are those of
// simple uses: then they mean the same in the text of the object.
func simpleNeeds(value any, needs map[string]string) bool {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if strings.Contains(key, "$") || !simpleNeeds(inner, needs) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(value, func(inner any) bool { return !simpleNeeds(inner, needs) })
	case string:
		if !strings.Contains(value, "$") {
			return true
		}
		for _, used := range simpleUse().FindAllStringSubmatch(value, -1) {
			if used[2] == "" {
				needs[used[1]] = Undefined
			}
		}
		return !strings.Contains(simpleUse().ReplaceAllLiteralString(value, ""), "$")
	}
	return true
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
