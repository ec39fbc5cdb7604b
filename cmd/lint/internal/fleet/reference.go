package fleet

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// reference names a source of a Kustomization or of an ArtifactGenerator.
type reference struct{ kind, namespace, name string }

func (r reference) String() string { return r.kind + "/" + r.namespace + "/" + r.name }

// referenceOf reads a reference of an object. Its namespace is the object's if none is
// set.
func referenceOf(v any, owner map[string]any) reference {
	r := reference{object.String(v, "kind"), object.String(v, "namespace"), object.String(v, "name")}
	if r.namespace == "" {
		r.namespace = object.Namespace(owner)
	}
	return r
}

// sourceRef returns the source of a Flux Kustomization.
func sourceRef(ks map[string]any) reference {
	return referenceOf(object.At(ks, "spec", "sourceRef"), ks)
}

// mainSource returns the source that most Flux Kustomizations of a tree refer to. An
// ExternalArtifact is none, and what is no Git repository only if a path speaks for it.
func mainSource(x *manifests.Index) reference {
	count := map[reference]int{}
	var best reference
	for _, w := range x.Kustomizations() {
		ref := sourceRef(w.Object)
		if ref.kind == "ExternalArtifact" || ref.kind != "GitRepository" && object.Path(w.Object) == "" {
			continue
		}
		if count[ref]++; count[ref] > count[best] {
			best = ref
		}
	}
	return best
}
