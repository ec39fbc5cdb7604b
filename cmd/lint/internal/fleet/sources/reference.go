package sources

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Reference names a source of a Kustomization or of an ArtifactGenerator.
type Reference struct{ Kind, Namespace, Name string }

func (r Reference) String() string { return r.Kind + "/" + r.Namespace + "/" + r.Name }

// ReferenceOf reads a reference of an object. Its namespace is the object's if none is
// set.
func ReferenceOf(v any, owner map[string]any) Reference {
	r := Reference{object.String(v, "kind"), object.String(v, "namespace"), object.String(v, "name")}
	if r.Namespace == "" {
		r.Namespace = object.Namespace(owner)
	}
	return r
}

// Ref returns the source of a Flux Kustomization.
func Ref(ks map[string]any) Reference {
	return ReferenceOf(object.At(ks, "spec", "sourceRef"), ks)
}

// Main returns the source that most Flux Kustomizations of a tree refer to. An
// ExternalArtifact is none, and what is no Git repository only if a path speaks for it.
func Main(x *manifests.Index) Reference {
	count := map[Reference]int{}
	var best Reference
	for _, w := range x.Kustomizations() {
		ref := Ref(w.Object)
		if ref.Kind == "ExternalArtifact" || ref.Kind != "GitRepository" && object.Path(w.Object) == "" {
			continue
		}
		if count[ref]++; count[ref] > count[best] {
			best = ref
		}
	}
	return best
}
