package resource

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
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
	if needs, ok := variables.NeedsInValues(r.plain); ok && r.plain != nil {
		over.Needs = needs
	} else if text, err := r.text(); err == nil { // kustomize has built it
		over.Needs, over.Err = variables.NeedsInText(string(text))
	}
	return over
}

// usesVariables reports quickly whether a resource may use one.
func usesVariables(node *yaml.Node) bool {
	return strings.Contains(node.Value, "${") || slices.ContainsFunc(node.Content, usesVariables)
}
