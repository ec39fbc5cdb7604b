package controllers

import (
	"cmp"
	"maps"
	"reflect"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Sync is what a FluxInstance syncs.
type Sync struct {
	// Kustomization is nil if a patch takes it or its source away.
	Kustomization map[string]any
	// Source has what patches set of it, and not what the FluxInstance says itself; nil if they set nothing.
	Source map[string]any
}

// SyncDefaults are the defaults of spec.sync of a FluxInstance, and of the values of its chart.
var SyncDefaults = map[string]string{"kind": "GitRepository", "name": "flux-system", "interval": "1m"}

// syncOf returns what flux-operator makes of spec.sync of a FluxInstance.
// Source: internal/builder/templates.go of github.com/controlplaneio-fluxcd/flux-operator.
func syncOf(spec map[string]any) Sync {
	text := func(field string) string { return cmp.Or(object.String(spec, "sync", field), SyncDefaults[field]) }
	kind, name, ref := text("kind"), text("name"), text("ref")
	source := map[string]any{"interval": text("interval"), "url": text("url"), "ref": map[string]any{"name": ref}}
	switch kind {
	case "OCIRepository":
		source["ref"] = map[string]any{"tag": ref}
	case "Bucket":
		source = map[string]any{"interval": text("interval"), "endpoint": text("url"), "bucketName": ref}
	}
	return Sync{SyncObject(kind, name, text("path")), map[string]any{
		"apiVersion": object.SourceGroup + "/v1", "kind": kind, "metadata": map[string]any{"name": name, "namespace": "flux-system"}, "spec": source,
	}}
}

// patched returns what is synced with patches.
func (s Sync) patched(objects []map[string]any) (out Sync) {
	if len(objects) < 2 {
		return Sync{}
	}
	for _, obj := range objects {
		if object.IsKustomization(obj) {
			out.Kustomization = obj
			continue
		}
		spec, _ := obj["spec"].(map[string]any)
		was := s.Source["spec"].(map[string]any)
		maps.DeleteFunc(spec, func(field string, value any) bool { return reflect.DeepEqual(value, was[field]) })
		if len(spec) > 0 || !reflect.DeepEqual(obj["metadata"], s.Source["metadata"]) {
			out.Source = obj
		}
	}
	return out
}

// SyncObject returns the Kustomization that Flux creates for a path to sync.
func SyncObject(kind, name, dir string) map[string]any {
	return map[string]any{
		"apiVersion": object.KustomizeGroup + "/v1", "kind": "Kustomization",
		"metadata": map[string]any{"name": name, "namespace": "flux-system"},
		"spec": map[string]any{
			"interval": "1m", "prune": true,
			"path":      "./" + strings.TrimPrefix(dir, "./"),
			"sourceRef": map[string]any{"kind": kind, "name": name},
		},
	}
}
