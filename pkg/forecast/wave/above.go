package wave

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Above says what is above a release of a fleet; nil if nothing is known of it.
func (f Fleet) Above(name string) *release.Above {
	i := slices.IndexFunc(f.Releases, func(r Release) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	r := f.Releases[i]
	at := slices.IndexFunc(f.Kustomizations, func(k Kustomization) bool { return k.Name == r.Parent })
	if at < 0 {
		return nil
	}
	k := f.Kustomizations[at]
	out := &release.Above{
		Kustomization: k.Name, Waits: k.Wait || slices.Contains(k.Checks, "HelmRelease/"+name), Dependents: []string{},
		Retry: k.Retry, RetryField: k.RetryField,
	}
	for _, other := range f.Kustomizations {
		if slices.Contains(other.DependsOn, k.Name) {
			out.Dependents = append(out.Dependents, other.Name)
		}
	}
	scenario, err := forecast.Find("upgrade-fails-once")
	if err != nil || !out.Waits || len(out.Dependents) == 0 {
		return out
	}
	line := forecast.Run(r.Settings, r.Controller, scenario, forecast.Options{})
	held, _ := RadiusOf(f, name, scenario, forecast.Options{})
	for _, l := range held.Lanes {
		if l.Kustomization == k.Name && line.Outcome.End == forecast.Ready && held.For.Duration > 0 {
			out.Late.Duration = max(0, l.ends()-line.Outcome.After.Duration)
		}
	}
	return out
}
