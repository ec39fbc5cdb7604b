package flux

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"

	"golang.org/x/mod/semver"
	"sigs.k8s.io/yaml"
)

// fluxReleases are the helm-controllers of the minor releases of Flux.
// Source: https://github.com/fluxcd/flux2, manifests/bases/helm-controller at each first tag.
var fluxReleases = map[string]string{
	"v2.3": "1.0.1", "v2.4": "1.1.0", "v2.5": "1.2.0", "v2.6": "1.3.0",
	"v2.7": "1.4.0", "v2.8": "1.5.0", "v2.9": "1.6.1",
}

// helmController reads version and gates from the Deployment of helm-controller.
func helmController(deployment map[string]any) release.Controller {
	var c release.Controller
	containers, _ := nested(deployment, "spec", "template", "spec", "containers").([]any)
	for _, container := range containers {
		image, _ := nested(container, "image").(string)
		image, _, _ = strings.Cut(image, "@")
		if i := strings.LastIndex(image, ":v"); i >= 0 && semver.IsValid(image[i+1:]) {
			c.Version = image[i+2:]
		}
		args, _ := nested(container, "args").([]any)
		for _, arg := range args {
			text, _ := arg.(string)
			c.Gates = addGates(c.Gates, text)
		}
	}
	return c
}

var gatesFlag = regexp.MustCompile(`--feature-gates=([\w=,]+)`)

// addGates reads the flag --feature-gates; gates that have no bearing on
// failures are left out.
func addGates(gates release.Gates, arg string) release.Gates {
	m := gatesFlag.FindStringSubmatch(arg)
	if m == nil {
		return gates
	}
	for _, pair := range strings.Split(m[1], ",") {
		name, value, _ := strings.Cut(pair, "=")
		if _, known := release.KnownGates[name]; known {
			if gates == nil {
				gates = release.Gates{}
			}
			gates[name] = value == "true" || value == "True" || value == "1"
		}
	}
	return gates
}

// instancePatched is what the patches of a FluxInstance make of Flux itself.
type instancePatched struct {
	entry      map[string]any
	controller release.Controller
}

// patchInstance applies spec.kustomize.patches of a FluxInstance to the sync
// Kustomization and to a Deployment of helm-controller, with kustomize. A
// patch that does not fit what stands in for Flux here is left out.
func patchInstance(tmp string, spec, entry map[string]any) instancePatched {
	out := instancePatched{entry: entry}
	version, _ := nested(spec, "distribution", "version").(string)
	if parts := strings.Split(strings.TrimPrefix(version, "v"), "."); len(parts) >= 2 {
		out.controller.Version = fluxReleases["v"+parts[0]+"."+parts[1]]
	}
	patches, _ := nested(spec, "kustomize", "patches").([]any)
	var kept []any
	for _, p := range patches {
		objects := kustomizeInstance(tmp, entry, append(kept, p))
		if objects == nil {
			continue
		}
		kept = append(kept, p)
		for _, object := range objects {
			if object["kind"] == "Kustomization" {
				out.entry = object
				continue
			}
			out.controller.Gates = helmController(object).Gates
		}
	}
	out.controller.Version = atLeastGates(out.controller)
	return out
}

// atLeastGates gives the version that a minor release of Flux stands for, or
// the later patch of it that first has one of the gates: an older one would not
// start with that gate.
func atLeastGates(c release.Controller) string {
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

func kustomizeInstance(tmp string, entry map[string]any, patches []any) []map[string]any {
	dir, err := os.MkdirTemp(tmp, "instance-")
	if err != nil {
		return nil
	}
	object, _ := json.Marshal(entry)
	kust, err := yaml.Marshal(map[string]any{"resources": []string{"entry.yaml", "flux.yaml"}, "patches": patches})
	if err != nil {
		return nil
	}
	for name, data := range map[string][]byte{"entry.yaml": object, "flux.yaml": []byte(standIn), "kustomization.yaml": kust} {
		if os.WriteFile(filepath.Join(dir, name), data, 0o600) != nil {
			return nil
		}
	}
	resources, err := run(dir, dir, false)
	if err != nil {
		return nil
	}
	var out []map[string]any
	for _, res := range resources {
		if object, err := objectOf(res); err == nil {
			out = append(out, object)
		}
	}
	return out
}
