package resource

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/internal/crd"
)

// Outcome is what becomes of an object of a build. Its nodes are large: they are kept only if it matters for what Flux
// applies.
type Outcome struct {
	ID      resid.ResId
	Kept    *Resource // nil if it does not matter
	Foreign string    // why Flux fails with it
	Lacking string    // the same, unless what applies the build adds fields to it
	Sealed  string    // namespace/name of a Secret that Flux takes for encrypted
	Over    PassedOver
}

// OutcomeOf returns what becomes of an object that kustomize has built.
func OutcomeOf(res *resource.Resource) Outcome {
	is := identityOf(res)
	out := Outcome{ID: res.CurId(), Foreign: is.refused()}
	if is.kind == "Secret" {
		obj, _ := New(res).Object()
		out.Sealed = sealed(obj)
	}
	if !is.isIrrelevant(res) {
		out.Kept = New(res)
		return out
	}
	out.look(is.inside(res))
	if usesVariables(res.YNode()) {
		out.Over = New(res).needs()
	}
	return out
}

// OutcomesOf returns what becomes of each of several.
func OutcomesOf(built []*resource.Resource) []Outcome {
	out := make([]Outcome, len(built))
	for i, res := range built {
		out[i] = OutcomeOf(res)
	}
	return out
}

// PlainOutcome returns the same of a plain object, whose variables may be substituted.
func PlainOutcome(id resid.ResId, p Plain, substitutes bool) Outcome {
	r := &Resource{Kind: id.Kind, Name: id.Name, Namespace: object.Namespace(p.Object), plain: p.Object, dollar: p.Dollar}
	out := Outcome{ID: id, Foreign: Refused(p.Object), Sealed: sealed(p.Object)}
	if !isIrrelevant(r.Kind, id.Group, r.Name, object.String(p.Object, "apiVersion"), r.dataSize) {
		out.Kept = r
		return out
	}
	out.look(p.Object)
	if substitutes && p.Dollar && variables.MayVary(p.Object) {
		out.Over = r.needs()
	}
	return out
}

// sealed returns namespace/name of a Secret that Flux takes for encrypted with SOPS; "" for other objects.
// Source: IsEncryptedSecret and IsDecryptionDisabled in internal/decryptor of kustomize-controller.
func sealed(obj map[string]any) string {
	_, encrypted := obj["sops"]
	off := object.String(obj, "metadata", "annotations", object.KustomizeGroup+"/decrypt")
	if !encrypted || obj["kind"] != "Secret" || obj["apiVersion"] != "v1" || strings.EqualFold(off, "disabled") {
		return ""
	}
	return variables.Unmark(object.FullName(obj))
}

// look adds what the API server refuses inside of an object that is not kept.
func (o *Outcome) look(obj map[string]any) {
	o.Foreign = cmp.Or(o.Foreign, refusedInside(obj, Unseen))
	if o.Foreign == "" && identityIn(obj).readInside() {
		o.Lacking = refusedInside(obj, Built)
	}
}

// refusedInside returns why Flux fails with a Kustomization for the content of an object that is not
// kept, before its variables are substituted; "" if it does not. Of kinds that Flux does not rely on, nothing
// but the metadata is read.
func refusedInside(obj map[string]any, as Reading) string {
	is := identityIn(obj)
	if !is.readInside() {
		obj = map[string]any{"apiVersion": is.apiVersion, "kind": is.kind, "metadata": obj["metadata"]}
	}
	if why := RefusedContent(obj, as); why != "" {
		return fmt.Sprintf("has %s %s, which %s", object.String(obj, "kind"), object.Name(obj), why)
	}
	return ""
}

// readInside reports whether all of an object is read although it is not kept. Deployments that are not
// kept run no controller of Flux.
func (i identity) readInside() bool {
	_, ok := crd.Known(i.apiVersion, i.kind)
	return ok && i.kind != "Deployment"
}

// inside returns what is read inside of an object that kustomize has built.
func (i identity) inside(res *resource.Resource) map[string]any {
	if i.readInside() {
		obj, _ := New(res).Object()
		return obj
	}
	obj := map[string]any{"apiVersion": i.apiVersion, "kind": i.kind}
	if metadata := child(res.YNode(), "metadata"); metadata != nil {
		var fields map[string]any
		if metadata.Decode(&fields) == nil {
			obj["metadata"] = fields
		}
	}
	return obj
}

// maxVariables is the size in bytes above which a ConfigMap is not kept: it holds
// something else than variables.
const maxVariables = 32 << 10

// fluxControllers are the Deployments by which an installation of Flux is known.
var fluxControllers = []string{"helm-controller", "kustomize-controller", "source-controller", "notification-controller"}

// IsController reports whether a Deployment of a name runs a controller of Flux, or may run a shard
// of helm-controller.
func IsController(name string) bool {
	return slices.Contains(fluxControllers, name) || strings.Contains(name, "helm-controller")
}

// isIrrelevant reports whether a resource does not matter for what Flux applies.
func (i identity) isIrrelevant(res *resource.Resource) bool {
	return isIrrelevant(i.kind, i.group, i.name, i.apiVersion, func() int {
		size := 0
		for _, value := range res.GetDataMap() {
			size += len(value)
		}
		return size
	})
}

func isIrrelevant(kindName, group, name, apiVersion string, dataSize func() int) bool {
	kind, ok := object.KindOf(kindName)
	switch {
	case object.Masked(kindName, apiVersion):
		return false // what it is shows later
	case !ok || group != kind.Group:
		return true
	case kind.Name == "Deployment":
		return !IsController(name)
	case kind.Name == "CustomResourceDefinition":
		return !object.IsDefinition(name)
	case kind.Role == object.Variables:
		return dataSize() > maxVariables
	}
	return false
}
