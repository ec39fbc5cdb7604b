package build

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/kustomize/api/resource"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Result is the result of building a folder for a Flux Kustomization, before variables
// are substituted. It is shared and must not be changed.
type Result struct {
	// Resources are those that matter for what Flux applies.
	Resources []*Resource
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

	objects map[[sha256.Size]byte]map[int]substituted // by variables
}

// foreign names resources that Flux would follow if their apiVersion were right.
func foreign(resources []*resource.Resource) []string {
	var out []string
	for _, res := range resources {
		if text := describeForeign(res.GetGvk().Group, res.GetKind(), res.GetName(), res.GetApiVersion()); text != "" {
			out = append(out, text)
		}
	}
	return out
}

func describeForeign(group, kindName, name, apiVersion string) string {
	kind, _ := object.KindOf(kindName)
	if !kind.Traced || group == kind.Group || group != "" && !strings.Contains(group, "toolkit") {
		return ""
	}
	return fmt.Sprintf("has %s %s with the apiVersion %q, which there is not", kindName, name, apiVersion)
}

// Objects are the resources of a result under variables, each substituted once.
type Objects struct {
	resources []*Resource
	variables *Variables
	known     map[int]substituted
}

// substituted is what [Variables.Substitute] returns.
type substituted struct {
	object  map[string]any
	reasons map[string]string
	err     error
}

// Under returns the resources under variables.
func (r *Result) Under(v *Variables) Objects {
	key := v.key()
	if r.objects == nil {
		r.objects = map[[sha256.Size]byte]map[int]substituted{}
	}
	if r.objects[key] == nil {
		r.objects[key] = map[int]substituted{}
	}
	return Objects{r.Resources, v, r.objects[key]}
}

// Object returns the nth resource as [Variables.Substitute] does. It is the caller's own,
// the reasons are not.
func (o Objects) Object(n int) (object map[string]any, reasons map[string]string, err error) {
	one, ok := o.known[n]
	if !ok {
		one.object, one.reasons, one.err = o.variables.Substitute(o.resources[n])
		o.known[n] = one
	}
	if one.err != nil {
		return nil, nil, one.err
	}
	return runtime.DeepCopyJSON(one.object), one.reasons, nil
}
