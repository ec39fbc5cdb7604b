package controllers

import (
	"strconv"

	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// sized returns the workers of a FluxInstance that has no flag for them.
func sized(spec map[string]any) int {
	if object.String(spec, "cluster", "size") != "" {
		return -1
	}
	return release.DefaultWorkers
}

// WorkersOf returns the flag --concurrent of a Deployment of kustomize-controller, or else what it is without; zero
// if what it says is not known.
func WorkersOf(deployment map[string]any, n int) int {
	for _, value := range flagIn(deployment, "concurrent") {
		n, _ = strconv.Atoi(value)
	}
	return max(n, 0)
}

// flagIn returns the values that the containers of a Deployment give a flag. The last one counts.
func flagIn(deployment map[string]any, name string) (values []string) {
	for _, container := range ContainersOf(deployment) {
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
