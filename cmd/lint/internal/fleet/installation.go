package fleet

import (
	"strings"

	"golang.org/x/mod/semver"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// fluxReleases are the helm-controllers of the minor releases of Flux.
// Source: github.com/fluxcd/flux2, manifests/bases/helm-controller at each first tag.
var fluxReleases = map[string]string{
	"v2.3": "1.0.1", "v2.4": "1.1.0", "v2.5": "1.2.0", "v2.6": "1.3.0",
	"v2.7": "1.4.0", "v2.8": "1.5.0", "v2.9": "1.6.1",
}

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

// install applies spec.kustomize.patches of a FluxInstance to the Kustomization that it
// syncs and to a minimal Deployment of helm-controller. It returns the patched
// Kustomization and the controller that the patched Deployment describes. Patches that
// do not fit these two are left out.
func install(spec, sync map[string]any) (patched map[string]any, controller release.Controller) {
	version := object.String(spec, "distribution", "version")
	if parts := strings.Split(strings.TrimPrefix(version, "v"), "."); len(parts) >= 2 {
		controller.Version = fluxReleases["v"+parts[0]+"."+parts[1]]
	}
	patches, _ := object.At(spec, "kustomize", "patches").([]any)
	patched = sync
	var kept []any
	for _, p := range patches {
		objects := build.Patch([]map[string]any{sync, deployment()}, append(kept, p))
		if objects == nil {
			continue
		}
		kept = append(kept, p)
		for _, obj := range objects {
			if obj["kind"] == "Kustomization" {
				patched = obj
				continue
			}
			controller.Gates = controllerOf(obj).Gates
		}
	}
	controller.Version = withGates(controller)
	return patched, controller
}

// withGates returns the controller's version or, if that lacks one of its gates, the first
// version with all of them: an older one would not start.
func withGates(c release.Controller) string {
	version := c.Version
	for name := range c.Gates {
		if since := release.KnownGates[name]; version != "" && semver.Compare("v"+since, "v"+version) > 0 {
			version = since
		}
	}
	return version
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
          args: [--watch-all-namespaces]
          env: [{name: RUNTIME_NAMESPACE, value: flux-system}]
          resources: {limits: {cpu: 1000m, memory: 1Gi}, requests: {cpu: 100m, memory: 64Mi}}
          volumeMounts: [{name: temp, mountPath: /tmp}]
      volumes: [{name: temp, emptyDir: {}}]
`

// deployment returns a minimal Deployment of helm-controller.
func deployment() map[string]any {
	var out map[string]any
	_ = yaml.Unmarshal([]byte(standIn), &out) // it is a constant
	return out
}
