package fleet

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// applied is an object with the Kustomization that applies it; nil if applied by hand.
type applied struct {
	object map[string]any
	by     *entries.Kustomization
	// skipped is why Flux does not apply it, so that nothing in the tree says what the
	// cluster has of it; empty if the cluster has it so.
	skipped string
	set     map[string]any // the ResourceSet that renders it; nil if none does
	// also are other Kustomizations that apply the same content.
	also []*entries.Kustomization
}

// appliers are the Kustomizations that apply it; none if it is applied by hand.
func (a applied) appliers() []*entries.Kustomization {
	if a.by == nil {
		return nil
	}
	return append([]*entries.Kustomization{a.by}, a.also...)
}

// objects are the objects that are applied or skipped, by the name of the cluster that they
// live in and by kind/namespace/name: each content of one of them.
type objects map[string]map[string][]applied

// keyOf returns kind/namespace/name of an object, of a Namespace kind/name.
func keyOf(obj map[string]any) string {
	if obj["kind"] == "Namespace" {
		return "Namespace/" + object.Name(obj)
	}
	return object.String(obj, "kind") + "/" + object.FullName(obj)
}

// put records an object. One content is recorded once.
func (o objects) put(cluster string, a applied) {
	if o[cluster] == nil {
		o[cluster] = map[string][]applied{}
	}
	key := keyOf(a.object)
	for i, other := range o[cluster][key] {
		if sameContent(other.object, a.object) {
			if other.skipped != "" {
				o[cluster][key][i] = a
			} else if a.skipped == "" && a.by != nil && other.by != nil {
				o[cluster][key][i].also = append(other.also, a.by)
			}
			return
		}
	}
	o[cluster][key] = append(o[cluster][key], a)
}

// sameContent reports whether two objects differ in nothing but their metadata and status.
func sameContent(a, b map[string]any) bool {
	content := func(obj map[string]any) map[string]any {
		obj = maps.Clone(trace.Without(obj))
		delete(obj, "metadata")
		delete(obj, "status")
		return obj
	}
	if object.IsTraced(a) && object.IsTraced(b) {
		return reflect.DeepEqual(a["spec"], b["spec"])
	}
	return reflect.DeepEqual(content(a), content(b))
}

// present returns what a cluster has under a key: each content that Flux applies.
func (o objects) present(cluster, key string) []applied {
	return slices.DeleteFunc(slices.Clone(o[cluster][key]), func(a applied) bool { return a.skipped != "" })
}

// first returns the first content that a cluster has under a key, and reports whether there
// is one.
func (o objects) first(cluster, key string) (applied, bool) {
	for _, a := range o[cluster][key] {
		if a.skipped == "" {
			return a, true
		}
	}
	return applied{}, false
}

// of returns what a cluster has under a key, or else what Flux skips of it, and reports whether there is
// something.
func (o objects) of(cluster, key string) (applied, bool) {
	if found, ok := o.first(cluster, key); ok || len(o[cluster][key]) == 0 {
		return found, ok
	}
	return o[cluster][key][0], true
}

// skipped returns why Flux skips what it is to apply under a key; "" if it does not, or if
// nothing is to be applied.
func (o objects) skipped(cluster, key string) string {
	all := o[cluster][key]
	if len(all) == 0 || len(o.present(cluster, key)) > 0 {
		return ""
	}
	return all[0].skipped
}

// ofKind returns the objects of a kind in a cluster, by name.
func (o objects) ofKind(cluster, kind string) []map[string]any {
	var keys []string
	for key := range o[cluster] {
		if strings.HasPrefix(key, kind+"/") {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var out []map[string]any
	for _, key := range keys {
		if found, ok := o.first(cluster, key); ok {
			out = append(out, found.object)
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
