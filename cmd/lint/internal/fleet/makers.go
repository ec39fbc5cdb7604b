package fleet

import (
	"bytes"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// makersOf returns the custom resources that may make a ConfigMap or Secret, as a SealedSecret or an ExternalSecret does:
// they are applied to its namespace, or written without one, and have its name or name it. Builds that fail may generate it.
func (t *trail) makersOf(n need) map[string]bool {
	out := map[string]bool{}
	kind, name, _ := strings.Cut(n.key, "/")
	namespace, name, _ := strings.Cut(name, "/")
	if is, _ := object.KindOf(kind); is.Role != object.Variables {
		return out
	}
	for id, k := range t.applied {
		if t.cluster.Target(k) != n.cluster || k.Source == nil || k.Skipped != "" || presence.Idle(k.Object) != "" {
			continue
		}
		if !t.built[id] {
			if generates(k, kind, name) {
				out[id] = true
			}
			continue
		}
		for _, at := range k.Walk().Files {
			f := k.Source.Files().File(at)
			if data := f.Again(); !bytes.Contains(data, []byte(name)) && !bytes.Contains(data, []byte("${")) {
				continue
			}
			file, err := t.index.Builder.Parse(f)
			if err != nil {
				continue // it has been said
			}
			object.Each(file, func(_ *yamledit.Document, obj map[string]any) {
				if k.Variables.On {
					obj, _, _ = k.Variables.InValues(obj)
				}
				if own := object.Namespace(obj); object.IsCustom(obj) && (own == "" || own == namespace) && (object.Name(obj) == name || refers(obj["spec"], name)) {
					out[keyOf(obj)] = true
				}
			})
		}
	}
	return out
}

// generates reports whether a Kustomization is to generate a ConfigMap or Secret.
func generates(k *entries.Kustomization, kind, name string) bool {
	field := map[string]string{"ConfigMap": "configMapGenerator", "Secret": "secretGenerator"}[kind]
	for _, kust := range k.Walk().Kusts {
		all, _ := kust.Object[field].([]any)
		if slices.ContainsFunc(all, func(item any) bool { return object.String(item, "name") == name }) {
			return true
		}
	}
	return false
}

// refers reports whether a field "name" or "secretName" anywhere in a value holds a name.
func refers(v any, name string) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return refers(item, name) })
	case map[string]any:
		for key, inner := range v {
			if (key == "name" || key == "secretName") && inner == name || refers(inner, name) {
				return true
			}
		}
	}
	return false
}
