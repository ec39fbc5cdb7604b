package build

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Result is the result of building a folder for a Flux Kustomization, before variables
// are substituted. It is shared and must not be changed.
type Result struct {
	// Resources are those that matter for what Flux applies.
	Resources []*resource.Resource
	// Err is why the build failed; then there are no resources.
	Err error
	// SetAside are the ids of the objects whose patches were left out because
	// the objects would have to be fetched.
	SetAside []string
	// Foreign describes resources of a kind that Flux follows, but with an apiVersion
	// that it does not know.
	Foreign []string
	// PassedOver are other resources in which variables are used, where variables are
	// substituted.
	PassedOver []PassedOver
}

// foreign names resources that Flux would follow if their apiVersion were right.
func foreign(resources []*resource.Resource) []string {
	var out []string
	for _, res := range resources {
		group := res.GetGvk().Group
		kind, _ := object.KindOf(res.GetKind())
		if kind.Traced && group != kind.Group && (group == "" || strings.Contains(group, "toolkit")) {
			out = append(out, fmt.Sprintf("has %s %s with the apiVersion %q, which there is not", res.GetKind(), res.GetName(), res.GetApiVersion()))
		}
	}
	return out
}
