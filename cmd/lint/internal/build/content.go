package build

import (
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

// RefusedContent returns why the API server does not take what an object holds beside its name, so that
// Flux applies nothing of its Kustomization; "" if it does, or if that is not known of the kind. Variables
// are substituted, and what depends on an unknown one is not judged. Neither is what is encrypted.
func RefusedContent(obj map[string]any) string {
	return refusedContent(obj, func(text string) bool { return text == devel || markers().MatchString(text) })
}

func refusedContent(obj map[string]any, open func(string) bool) string {
	if obj["sops"] != nil {
		return ""
	}
	if why := object.RefusedMetadata(obj["metadata"], open); why != "" {
		return "is refused by the API server: it has " + why
	}
	is := identityIn(obj)
	schema, ok := crd.Known(is.apiVersion, is.kind)
	if !ok || is.kind == "HelmRelease" {
		return ""
	}
	switch wrong := schema.Refuses(trace.Without(obj), open); {
	case wrong == nil:
		return ""
	case wrong.Newer:
		return fmt.Sprintf("has the field %s, which %s", wrong.Field, wrong.Why)
	default:
		return "is refused by the API server: " + wrong.String()
	}
}

// unmade reports whether a text may be another one once variables are substituted.
func unmade(text string) bool {
	return text == devel || strings.Contains(text, "$") || markers().MatchString(text)
}

// refusedInside returns why Flux fails with a Kustomization for the content of an object that is not
// kept, before its variables are substituted; "" if it does not. Of kinds that Flux does not rely on, nothing
// but the metadata is read.
func refusedInside(obj map[string]any) string {
	is := identityIn(obj)
	if !is.readInside() {
		obj = map[string]any{"apiVersion": is.apiVersion, "kind": is.kind, "metadata": obj["metadata"]}
	}
	if why := refusedContent(obj, unmade); why != "" {
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

// refusedInside is the same for what kustomize has built.
func (i identity) refusedInside(res *resource.Resource) string {
	if i.readInside() {
		if obj, err := objectByText(res); err == nil {
			return refusedInside(obj)
		}
		return ""
	}
	obj := map[string]any{"apiVersion": i.apiVersion, "kind": i.kind}
	if metadata := child(res.YNode(), "metadata"); metadata != nil {
		var fields map[string]any
		if metadata.Decode(&fields) == nil {
			obj["metadata"] = fields
		}
	}
	return refusedInside(obj)
}
