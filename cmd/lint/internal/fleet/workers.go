package fleet

import (
	"strconv"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// defaultWorkers is the default of the flag --concurrent.
// Source: main.go of kustomize-controller.
const defaultWorkers = 4

// Workers returns how many Kustomizations the kustomize-controller of a cluster works on at the same time; zero if the
// tree does not say it, negative if the size of a FluxInstance says it, which its operator knows.
func (r *Resolved) Workers(cluster string) int {
	n := installationIn(r.pass, cluster).workers
	for _, a := range r.pass.installers[cluster] {
		if r.pass.isController(a.object, applierName) {
			n = workersOf(a.object, defaultWorkers)
		}
	}
	return n
}

// sized returns the workers of a FluxInstance that has no flag for them.
func sized(spec map[string]any) int {
	if object.String(spec, "cluster", "size") != "" {
		return -1
	}
	return defaultWorkers
}

// workersOf returns the flag --concurrent of a Deployment of kustomize-controller, or else what it is without; zero
// if what it says is not known.
func workersOf(deployment map[string]any, n int) int {
	for _, container := range containersOf(deployment) {
		args, _ := object.At(container, "args").([]any)
		for _, arg := range args {
			text, _ := arg.(string)
			if value, found := strings.CutPrefix(strings.TrimLeft(text, "-"), "concurrent="); found {
				n, _ = strconv.Atoi(value)
			}
		}
	}
	return max(n, 0)
}
