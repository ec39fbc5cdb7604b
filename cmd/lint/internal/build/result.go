package build

import (
	"crypto/sha256"
	"maps"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
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
	// Doubt is why kustomize has built it, and it was not composed; "" if it was.
	Doubt string
	// Foreign describes resources that Flux fails with, or takes for something else, see [Refused].
	Foreign []string
	// Lacking describes others, unless what applies the result adds fields to them.
	Lacking []string
	// PassedOver are other resources in which variables are used, where variables are
	// substituted.
	PassedOver []PassedOver
	// Copied is what the build may have copied from Secrets into other objects.
	Copied Secrets

	objects cores.Once[[sha256.Size]byte, *cores.Once[int, substituted]] // by variables
}

// add adds what becomes of an object.
func (r *Result) add(o outcome, substitutes bool) {
	if o.foreign != "" {
		r.Foreign = append(r.Foreign, o.foreign)
	}
	if o.lacking != "" {
		r.Lacking = append(r.Lacking, o.lacking)
	}
	if o.kept != nil {
		r.Resources = append(r.Resources, o.kept)
	} else if substitutes && (len(o.over.Needs) > 0 || o.over.Err != nil) {
		r.PassedOver = append(r.PassedOver, o.over)
	}
}

// Objects are the resources of a result under variables, each substituted once.
type Objects struct {
	resources []*Resource
	variables *Variables
	known     *cores.Once[int, substituted]
}

// substituted is what [Variables.Substitute] returns.
type substituted struct {
	object  map[string]any
	reasons map[string]string
	err     error
}

// Under returns the resources under variables.
func (r *Result) Under(v *Variables) Objects {
	return Objects{r.Resources, v, r.objects.Of(v.key(), func() *cores.Once[int, substituted] { return &cores.Once[int, substituted]{} })}
}

// Object returns the nth resource as [Variables.Substitute] does. The object and its metadata are the caller's
// own; what is in their fields and the reasons are not.
func (o Objects) Object(n int) (object map[string]any, reasons map[string]string, err error) {
	one := o.known.Of(n, func() (one substituted) {
		one.object, one.reasons, one.err = o.variables.Substitute(o.resources[n])
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
