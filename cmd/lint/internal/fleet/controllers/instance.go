package controllers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// InstanceSpec returns the spec of a FluxInstance: of the object itself, or from the
// values of the chart that creates one, in a HelmRelease or in a values file; nil for
// other objects.
func InstanceSpec(obj map[string]any) map[string]any {
	var spec map[string]any
	switch {
	case object.Is(obj, "FluxInstance"):
		spec, _ = obj["spec"].(map[string]any)
	case object.IsHelmRelease(obj):
		spec, _ = object.At(obj, "spec", "values", "instance").(map[string]any)
	case obj["kind"] == nil:
		spec, _ = obj["instance"].(map[string]any)
	}
	for _, field := range []string{"distribution", "sync", "kustomize"} {
		if _, ok := spec[field].(map[string]any); ok {
			return spec
		}
	}
	return nil
}

// instanceChart is the name of the chart that creates a FluxInstance, instanceName that
// of the only FluxInstance which flux-operator accepts.
const (
	instanceChart = "flux-instance"
	InstanceName  = "flux"
)

// CreatesInstance reports whether an object creates the FluxInstance of a namespace.
func CreatesInstance(obj map[string]any, namespace string) bool {
	if object.Is(obj, "FluxInstance") {
		return object.Name(obj) == InstanceName && object.Namespace(obj) == namespace
	}
	in := object.String(obj, "spec", "targetNamespace")
	if in == "" {
		in = object.Namespace(obj)
	}
	return object.IsHelmRelease(obj) && in == namespace && release.ChartName(obj) == instanceChart
}

// OfInstance returns what a FluxInstance installs, by its spec, and the Kustomization that
// it syncs with its patches. Name is that of the object that holds the spec.
func OfInstance(builder *build.Builder, spec, sync map[string]any, name string) (patched map[string]any, out Installation) {
	patches, _ := object.At(spec, "kustomize", "patches").([]any)
	version := object.String(spec, "distribution", "version")
	install := func(from string, helm map[string]any) (map[string]any, Installation) {
		patched, out := install(builder, version, patches, helm, sync)
		out.From = from
		if out.Controller.Version == "" && out.Stopped == "" {
			out.follows = followsReleases(version)
			out.Unknown = notOneMinor(name, version)
		}
		if components, _ := object.At(spec, "components").([]any); len(components) > 0 && !slices.Contains(components, any(Helm)) {
			out.Watched.idle = "does not install " + Helm
		}
		return patched, out
	}
	key, shards := sharding(spec)
	helm := deployment(Helm)
	if len(shards) > 0 {
		helm = deployment(Helm, "--watch-label-selector=!"+key)
	}
	patched, out = install(name, helm)
	for _, shard := range shards {
		helm := deployment(Helm, "--watch-label-selector="+key+"="+shard)
		helm["metadata"].(map[string]any)["annotations"] = map[string]any{"sharding.fluxcd.io/role": "shard"}
		_, found := install("shard "+shard+" of "+name, helm)
		out.Shards = append(out.Shards, found)
	}
	if out.Workers == 0 {
		out.Workers = sized(spec)
	}
	return patched, out
}

// sharding returns the label and its values by which a FluxInstance divides objects among controllers; no values if
// it does not. Patches reach the controllers of all shards: kustomize finds them by their former names, too.
// Source: kustomizationShardTmpl of flux-operator, and Select of sigs.k8s.io/kustomize/api/resmap.
func sharding(spec map[string]any) (key string, shards []string) {
	list, _ := object.At(spec, "sharding", "shards").([]any)
	for _, item := range list {
		if shard, ok := item.(string); ok {
			shards = append(shards, shard)
		}
	}
	return cmp.Or(object.String(spec, "sharding", "key"), "sharding.fluxcd.io/key"), shards
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
