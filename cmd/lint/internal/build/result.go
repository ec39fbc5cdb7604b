package build

import (
	"crypto/sha256"
	"maps"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
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
	// Doubt is why kustomize has built it, and it was not composed; "" if it was.
	Doubt string
	// Foreign describes resources that Flux fails with, or takes for something else, see [resource.Refused].
	Foreign []string
	// Lacking describes others, unless what applies the result adds fields to them.
	Lacking []string
	// Sealed names the Secrets that Flux takes for encrypted.
	Sealed []string
	// PassedOver are other resources in which variables are used, where variables are
	// substituted.
	PassedOver []resource.PassedOver
	// Copied is what the build may have copied from Secrets into other objects.
	Copied variables.Secrets

	objects cores.Once[[sha256.Size]byte, *cores.Once[int, substituted]] // by variables
}

// add adds what becomes of an object.
func (r *Result) add(o resource.Outcome, substitutes bool) {
	if o.Foreign != "" {
		r.Foreign = append(r.Foreign, o.Foreign)
	}
	if o.Lacking != "" {
		r.Lacking = append(r.Lacking, o.Lacking)
	}
	if o.Sealed != "" {
		r.Sealed = append(r.Sealed, o.Sealed)
	}
	if o.Kept != nil {
		r.Resources = append(r.Resources, o.Kept)
	} else if substitutes && (len(o.Over.Needs) > 0 || o.Over.Err != nil) {
		r.PassedOver = append(r.PassedOver, o.Over)
	}
}

// Objects are the resources of a result under variables, each substituted once.
type Objects struct {
	resources []*resource.Resource
	variables *variables.Variables
	known     *cores.Once[int, substituted]
}

// substituted is what [resource.Resource.Substitute] returns.
type substituted struct {
	object  map[string]any
	reasons map[string]string
	err     error
}

// Under returns the resources under variables.
func (r *Result) Under(v *variables.Variables) Objects {
	return Objects{r.Resources, v, r.objects.Of(v.Key(), func() *cores.Once[int, substituted] { return &cores.Once[int, substituted]{} })}
}

// Object returns the nth resource as [resource.Resource.Substitute] does. The object and its metadata are the caller's
// own; what is in their fields and the reasons are not.
func (o Objects) Object(n int) (object map[string]any, reasons map[string]string, err error) {
	one := o.known.Of(n, func() (one substituted) {
		one.object, one.reasons, one.err = o.resources[n].Substitute(o.variables)
		return one
	})
	if one.err != nil {
		return nil, one.reasons, one.err
	}
	object = maps.Clone(one.object)
	if metadata, ok := object["metadata"].(map[string]any); ok {
		object["metadata"] = maps.Clone(metadata)
	}
	return object, one.reasons, nil
}
