package resource

import (
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
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
	return text == devel || as != Final && strings.Contains(text, "$") || variables.Marked(text)
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
