package fleet

import (
	"strconv"

	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Workers returns how many Kustomizations the kustomize-controller of a cluster works on at the same time; zero if the
// tree does not say it, negative if the size of a FluxInstance says it, which its operator knows.
func (r *Resolved) Workers(cluster string) int {
	n := installationIn(r.pass, cluster).workers
	for _, a := range r.pass.installers[cluster] {
		if r.pass.isController(a.object, applierName) {
			n = workersOf(a.object, release.DefaultWorkers)
		}
	}
	return n
}

// sized returns the workers of a FluxInstance that has no flag for them.
func sized(spec map[string]any) int {
	if object.String(spec, "cluster", "size") != "" {
		return -1
	}
	return release.DefaultWorkers
}

// workersOf returns the flag --concurrent of a Deployment of kustomize-controller, or else what it is without; zero
// if what it says is not known.
func workersOf(deployment map[string]any, n int) int {
	for _, value := range flagIn(deployment, "concurrent") {
		n, _ = strconv.Atoi(value)
	}
	return max(n, 0)
}

// flagIn returns the values that the containers of a Deployment give a flag. The last one counts.
func flagIn(deployment map[string]any, name string) (values []string) {
	for _, container := range containersOf(deployment) {
		args, _ := object.At(container, "args").([]any)
		flags := newFlags()
		flags.Func(name, "", func(value string) error {
			values = append(values, value)
			return nil
		})
		texts := make([]string, len(args))
		for i, arg := range args {
			texts[i], _ = arg.(string)
		}
		_ = flags.Parse(texts) // what comes before a mistake counts
	}
	return values
}

// newFlags returns flags as the controllers of Flux read them, beside others that are not known here.
func newFlags() *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.Usage = func() {}
	return flags
}
