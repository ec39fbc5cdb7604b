package build

import (
	"cmp"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/internal/crd"
)

// devel is the label value by which a build may say what has made it (buildMetadata). The kustomize that Flux
// runs may have another version.
const devel = "kustomize-(devel)"

// Reading says how an object that is checked differs from what the API server gets.
type Reading int

// The readings.
const (
	Final  Reading = iota // not at all: it is as Flux applies it
	Built                 // variables are still to be substituted
	Unseen                // what applies it is not in the tree, and may also add fields
)

// open reports whether a text may be another one on the cluster.
func (as Reading) open(text string) bool {
	return text == devel || as != Final && strings.Contains(text, "$") || markers().MatchString(text)
}

// RefusedContent returns why the API server does not take what an object holds beside its name, so that
// Flux applies nothing of its Kustomization; "" if it does, or if that is not known of the kind. What
// depends on an unknown variable is not judged, and neither is what is encrypted.
func RefusedContent(obj map[string]any, as Reading) string {
	if obj["sops"] != nil {
		return ""
	}
	if why := object.RefusedMetadata(obj["metadata"], as.open); why != "" {
		return "is refused by the API server: it has " + why
	}
	is := identityIn(obj)
	schema, ok := crd.Known(is.apiVersion, is.kind)
	if !ok || is.kind == "HelmRelease" {
		return ""
	}
	switch wrong := Refuses(schema, obj, as); {
	case wrong == nil:
		return ""
	case wrong.Newer:
		return fmt.Sprintf("has the field %s, which %s", wrong.Field, wrong.Why)
	default:
		return "is refused by the API server: " + wrong.String()
	}
}

// Refuses returns why an API server that has a schema does not take an object; nil if it does.
func Refuses(schema crd.Schema, obj map[string]any, as Reading) *crd.Refusal {
	return schema.Refuses(trace.Without(obj), crd.Reading{Open: as.open, Partial: as == Unseen})
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
		obj, _ := newResource(res).Object()
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

// look adds what the API server refuses inside of an object that is not kept.
func (o *outcome) look(obj map[string]any) {
	o.foreign = cmp.Or(o.foreign, refusedInside(obj, Unseen))
	if o.foreign == "" && identityIn(obj).readInside() {
		o.lacking = refusedInside(obj, Built)
	}
}
