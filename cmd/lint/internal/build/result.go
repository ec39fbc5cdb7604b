package build

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Result is what a folder gives when a Flux Kustomization builds it, before the
// variables are put in. It is shared: nobody changes it.
type Result struct {
	// Resources are those that have a bearing on what Flux applies.
	Resources []*resource.Resource
	// Err says why there are none.
	Err error
	// SetAside are the ids of the objects whose patches were left out because
	// the objects would have to be fetched.
	SetAside []string
	// Foreign says of resources that Flux does not know them, but was meant to.
	Foreign []string
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
