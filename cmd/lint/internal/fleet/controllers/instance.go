package controllers

import (
	"cmp"
	"slices"

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

// OfInstance returns what a FluxInstance installs, and what it syncs, both with its patches. Name is that of the
// object that holds its spec, or that has a chart create it.
func OfInstance(builder *build.Builder, obj map[string]any, name string) (out Installation, sync Sync) {
	spec := InstanceSpec(obj)
	patches, _ := object.At(spec, "kustomize", "patches").([]any)
	version := object.String(spec, "distribution", "version")
	written := syncOf(spec)
	var synced []map[string]any
	install := func(from string, helm map[string]any) Installation {
		patched, out := install(builder, version, patches, helm, written.Kustomization, written.Source)
		out.From, synced = from, patched
		if out.Controller.Version == "" && out.Unknown == "" {
			out.follows = followsReleases(version)
			out.Unknown = notOneMinor(name, version)
		}
		if components, _ := object.At(spec, "components").([]any); len(components) > 0 && !slices.Contains(components, any(Helm)) {
			out.Watched.idle = "does not install " + Helm
		}
		return out
	}
	key, shards := sharding(spec)
	var args []any
	if object.At(spec, "cluster", "multitenant") == true { // profileMultitenant of flux-operator
		args = append(args, "--no-cross-namespace-refs=true")
	}
	helm := deployment(Helm, args...)
	if len(shards) > 0 {
		helm = deployment(Helm, append(args, "--watch-label-selector=!"+key)...)
	}
	out = install(name, helm)
	sync = written.patched(synced)
	for _, shard := range shards {
		helm := deployment(Helm, append(args, "--watch-label-selector="+key+"="+shard)...)
		helm["metadata"].(map[string]any)["annotations"] = map[string]any{"sharding.fluxcd.io/role": "shard"}
		out.Shards = append(out.Shards, install("shard "+shard+" of "+name, helm))
	}
	if out.Workers == 0 {
		out.Workers = sized(spec)
	}
	if list, _ := object.At(obj, "spec", "postRenderers").([]any); len(list) > 0 && object.IsHelmRelease(obj) {
		out.Controller, out.follows, out.Unknown = release.Controller{}, false, name+" has spec.postRenderers"
		out.Locked, out.Watched, out.Shards = false, scope{unknown: "has spec.postRenderers, and what they make of the FluxInstance is not known"}, nil
	}
	return out, sync
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
