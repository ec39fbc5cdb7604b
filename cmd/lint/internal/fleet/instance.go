package fleet

import (
	"cmp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// instanceSpec returns the spec of a FluxInstance: of the object itself, or from the
// values of the chart that creates one, in a HelmRelease or in a values file; nil for
// other objects.
func instanceSpec(obj map[string]any) map[string]any {
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
	instanceName  = "flux"
)

// createsInstance reports whether an object creates the FluxInstance of a namespace.
func createsInstance(obj map[string]any, namespace string) bool {
	if object.Is(obj, "FluxInstance") {
		return object.Name(obj) == instanceName && object.Namespace(obj) == namespace
	}
	in := object.String(obj, "spec", "targetNamespace")
	if in == "" {
		in = object.Namespace(obj)
	}
	return object.IsHelmRelease(obj) && in == namespace && release.ChartName(obj) == instanceChart
}

// instanceOf returns what a FluxInstance installs, by its spec, and the Kustomization that
// it syncs with its patches. Name is that of the object that holds the spec.
func instanceOf(builder *build.Builder, spec, sync map[string]any, name string) (patched map[string]any, out Installation) {
	patches, _ := object.At(spec, "kustomize", "patches").([]any)
	version := object.String(spec, "distribution", "version")
	install := func(from string, helm map[string]any) (map[string]any, Installation) {
		patched, out := install(builder, version, patches, helm, sync)
		out.From = from
		if out.Controller.Version == "" {
			out.unknown = notOneMinor(name, version)
		}
		if components, _ := object.At(spec, "components").([]any); len(components) > 0 && !slices.Contains(components, any(controllerName)) {
			out.watched.idle = "does not install " + controllerName
		}
		return patched, out
	}
	key, shards := sharding(spec)
	helm := deployment(controllerName)
	if len(shards) > 0 {
		helm = deployment(controllerName, "--watch-label-selector=!"+key)
	}
	patched, out = install(name, helm)
	for _, shard := range shards {
		helm := deployment(controllerName, "--watch-label-selector="+key+"="+shard)
		helm["metadata"].(map[string]any)["annotations"] = map[string]any{"sharding.fluxcd.io/role": "shard"}
		_, found := install("shard "+shard+" of "+name, helm)
		out.shards = append(out.shards, found)
	}
	if out.workers == 0 {
		out.workers = sized(spec)
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

// install applies patches to the Kustomization that is synced and to minimal Deployments of
// helm-controller, which is given, and of other controllers, for a release or range of releases of Flux. It
// returns the patched Kustomization and what the patched Deployments describe. Patches that
// do not fit these are left out.
func install(builder *build.Builder, version string, patches []any, helm, sync map[string]any) (patched map[string]any, out Installation) {
	patched = sync
	var strict *bool
	workers, notes := 0, []string(nil)
	for _, obj := range fitting(builder, []map[string]any{sync, helm, deployment(applierName), deployment(sourceName)}, patches) {
		switch object.Name(obj) {
		case controllerName:
			out, _ = runningIn(obj, func(string) map[string]any { return nil })
		case applierName:
			strict, workers = strictGate(obj), workersOf(obj, 0)
			notes = append(notes, gateNotes(obj)...)
		case sourceName:
			notes = append(notes, gateNotes(obj)...)
		default:
			patched = obj
		}
	}
	out.strict, out.workers, out.Notes = strict, workers, append(out.Notes, notes...)
	if out.Controller.Version == "" {
		out.Controller.Version = helmController(version)
	}
	return patched, out
}

// fitting returns objects with all patches applied that fit them.
func fitting(builder *build.Builder, objects []map[string]any, patches []any) []map[string]any {
	if len(patches) == 0 {
		return objects
	}
	if patched := builder.Patch(objects, patches); patched != nil {
		return patched
	}
	var kept []any
	patched := objects
	for _, p := range patches {
		if with := builder.Patch(objects, append(kept, p)); with != nil {
			kept, patched = append(kept, p), with
		}
	}
	return patched
}

const standIn = `apiVersion: apps/v1
kind: Deployment
metadata: {name: helm-controller, namespace: flux-system, labels: {app.kubernetes.io/component: helm-controller}}
spec:
  template:
    metadata: {annotations: {prometheus.io/scrape: "true"}}
    spec:
      containers:
        - name: manager
          image: ghcr.io/fluxcd/helm-controller
          args: [--watch-all-namespaces]
          env: [{name: RUNTIME_NAMESPACE, value: flux-system}]
          resources: {limits: {cpu: 1000m, memory: 1Gi}, requests: {cpu: 100m, memory: 64Mi}}
          volumeMounts: [{name: temp, mountPath: /tmp}]
      volumes: [{name: temp, emptyDir: {}}]
`

// deployment returns a minimal Deployment of a controller of Flux, with more arguments.
func deployment(name string, args ...any) map[string]any {
	var out map[string]any
	_ = yaml.Unmarshal([]byte(strings.ReplaceAll(standIn, controllerName, name)), &out) // it is a constant
	container := containersOf(out)[0].(map[string]any)
	container["args"] = append(container["args"].([]any), args...)
	return out
}
