package fleet

import (
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// applied is an object with the Kustomization that applies it; nil if applied by hand.
type applied struct {
	object map[string]any
	by     *Kustomization
}

// objects are the applied objects, by the name of the cluster that they live in and by
// kind/namespace/name.
type objects map[string]map[string]applied

func (o objects) put(cluster string, obj map[string]any, by *Kustomization) {
	if o[cluster] == nil {
		o[cluster] = map[string]applied{}
	}
	kind, _ := obj["kind"].(string)
	o[cluster][kind+"/"+object.FullName(obj)] = applied{obj, by}
}

// ofKind returns the objects of a kind in a cluster, by name.
func (o objects) ofKind(cluster, kind string) []map[string]any {
	var out []map[string]any
	for _, key := range sortedKeys(o[cluster]) {
		if strings.HasPrefix(key, kind+"/") {
			out = append(out, o[cluster][key].object)
		}
	}
	return out
}

// generators counts the ArtifactGenerators in all clusters.
func (o objects) generators() int {
	n := 0
	for cluster := range o {
		n += len(o.ofKind(cluster, "ArtifactGenerator"))
	}
	return n
}
