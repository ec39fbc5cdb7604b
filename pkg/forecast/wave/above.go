package wave

import (
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Over says what is true of a Kustomization for each release that it applies; nil if nothing is known of it.
func (f Fleet) Over(kustomization string, links Links) *release.Above {
	k := f.named(kustomization)
	if k == nil {
		return nil
	}
	out := &release.Above{
		Kustomization: k.Name, Dependents: []string{}, Timeout: k.Timeout, TimeoutField: k.TimeoutField,
		Named: k.Named, Object: k.Object, Retry: k.Retry, RetryField: k.RetryField, Suspended: f.suspended(k, map[string]bool{}), Circle: links.circle(k.Name), Deadlock: []string{}, Missing: f.missing(k),
	}
	for _, other := range f.Kustomizations {
		if slices.Contains(other.DependsOn, k.Name) {
			out.Dependents = append(out.Dependents, other.Name)
		}
	}
	for _, r := range f.Releases {
		if r.Parent == k.Name {
			out.Attempt.Duration = max(out.Attempt.Duration, r.Settings.Install.Timeout.Duration, r.Settings.Upgrade.Timeout.Duration)
		}
	}
	return out
}

// Above says what is above a release of a fleet, by what is over it.
func (f Fleet) Above(r Release, over release.Above) *release.Above {
	over.Waits = f.named(over.Kustomization).checks(r.Name)
	if over.Waits && len(over.Dependents) > 0 && len(over.Circle) == 0 {
		over.Late.Duration = f.late(r)
	}
	return &over
}

// late returns how long a Kustomization is not ready after one of its releases has failed once and recovered. What
// depends on it does not matter to that.
func (f Fleet) late(r Release) time.Duration {
	scenario, err := forecast.Find("upgrade-fails-once")
	if err != nil {
		return 0
	}
	line := forecast.Run(r.Settings, r.Controller, scenario, forecast.Options{})
	if line.Outcome.End != forecast.Ready {
		return 0
	}
	part, at := f.part(map[string]bool{r.Parent: true}, r.Name)
	held := part.radius(at, scenario, forecast.Options{})
	if held.For.Duration == 0 {
		return 0
	}
	return max(0, held.Lanes[0].ends()-line.Outcome.After.Duration)
}

// checks reports whether a Kustomization waits for the health of a release that it applies.
func (k *Kustomization) checks(release string) bool {
	return k.Wait || slices.Contains(k.Checks, "HelmRelease/"+release)
}

// missing lists what a Kustomization checks the health of and the fleet does not have.
func (f Fleet) missing(k *Kustomization) []string {
	out := []string{}
	if k.Wait { // its health checks are ignored
		return out
	}
	for _, check := range k.Checks {
		kind, name, _ := strings.Cut(check, "/")
		switch {
		case kind == "Kustomization" && f.named(name) == nil,
			kind == "HelmRelease" && !slices.ContainsFunc(f.Releases, func(r Release) bool { return r.Name == name }):
			out = append(out, check)
		}
	}
	return out
}

// named returns a Kustomization by its name; nil if there is none.
func (f Fleet) named(name string) *Kustomization {
	if i := slices.IndexFunc(f.Kustomizations, func(k Kustomization) bool { return k.Name == name }); i >= 0 {
		return &f.Kustomizations[i]
	}
	return nil
}

// suspended returns the way from a Kustomization to one that is suspended and that it waits for as soon as there
// is a new commit, both included: a dependency of the same source, or what such a one waits for.
// Source: checkDependencies in kustomization_controller.go.
func (f Fleet) suspended(k *Kustomization, seen map[string]bool) []string {
	if seen[k.Name] || k.Suspend {
		return nil
	}
	seen[k.Name] = true
	for _, name := range k.DependsOn {
		on := f.named(name)
		if on == nil {
			continue
		}
		if on.Suspend && on.Source == k.Source {
			return []string{k.Name, on.Name}
		}
		if way := f.suspended(on, seen); way != nil {
			return append([]string{k.Name}, way...)
		}
	}
	return nil
}

// Waiting lists the Kustomizations that from the next commit on wait for one that is suspended: those of the same source
// that depend on it, and all that depend on such a one.
func (f Fleet) Waiting(suspended string) []string {
	dependents := map[string][]*Kustomization{}
	for i := range f.Kustomizations {
		for _, on := range f.Kustomizations[i].DependsOn {
			dependents[on] = append(dependents[on], &f.Kustomizations[i])
		}
	}
	out, met, first := []string{}, map[string]bool{suspended: true}, f.named(suspended)
	for _, k := range dependents[suspended] {
		if first != nil && !k.Suspend && !met[k.Name] && k.Source == first.Source {
			out, met[k.Name] = append(out, k.Name), true
		}
	}
	for at := 0; at < len(out); at++ {
		for _, k := range dependents[out[at]] {
			if !k.Suspend && !met[k.Name] {
				out, met[k.Name] = append(out, k.Name), true
			}
		}
	}
	slices.Sort(out)
	return out
}

// circle returns the way from a Kustomization back to itself over those that it waits for, itself at both ends: what it
// depends on, and of what it applies that whose health it waits for. None of them is ever ready.
func (l Links) circle(kustomization string) []string {
	return circle(kustomization, func(name string) []string { return l.needs[name] })
}
