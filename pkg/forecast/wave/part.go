package wave

import (
	"slices"
	"strings"
)

// around returns the part of a fleet that a release can hold up, and the release in it; nil if the fleet
// has no such release.
func (f Fleet) around(name string) (Fleet, *Release) {
	i := slices.IndexFunc(f.Releases, func(r Release) bool { return r.Name == name })
	if i < 0 {
		return Fleet{}, nil
	}
	in := map[string]bool{f.Releases[i].Parent: true}
	for _, k := range f.Kustomizations {
		in[k.Name] = in[k.Name] || !k.Wait && k.checks(name)
	}
	for grown := true; grown; {
		grown = false
		for _, k := range f.Kustomizations {
			touches := in[k.Name] || slices.ContainsFunc(k.DependsOn, func(on string) bool { return in[on] }) ||
				slices.ContainsFunc(f.Kustomizations, func(child Kustomization) bool { return in[child.Name] && f.waits(k, child) })
			if touches && !in[k.Name] {
				in[k.Name], grown = true, true
			}
		}
	}
	return f.part(in, name)
}

// part returns some Kustomizations of a fleet with what they apply, and one of their releases. What else they wait
// for is ready, and there are workers enough.
func (f Fleet) part(in map[string]bool, name string) (Fleet, *Release) {
	out := Fleet{Controller: f.Controller}
	out.Controller.Concurrent = len(f.Kustomizations) + 1
	targets := map[string]bool{}
	for _, r := range f.Releases {
		if in[r.Parent] {
			r.DependsOn = nil
			out.Releases = append(out.Releases, r)
			targets["HelmRelease/"+r.Name] = true
		}
	}
	for _, k := range f.Kustomizations {
		if in[k.Name] {
			k.DependsOn = slices.DeleteFunc(slices.Clone(k.DependsOn), func(on string) bool { return !in[on] })
			k.Checks = slices.DeleteFunc(slices.Clone(k.Checks), func(target string) bool {
				kustomization, isOne := strings.CutPrefix(target, "Kustomization/")
				return !targets[target] && (!isOne || !in[kustomization])
			})
			out.Kustomizations = append(out.Kustomizations, k)
		}
	}
	at := slices.IndexFunc(out.Releases, func(r Release) bool { return r.Name == name })
	return out, &out.Releases[at]
}

// waits reports whether a Kustomization waits for the health of another one.
func (f Fleet) waits(k, child Kustomization) bool {
	return k.Wait && child.Parent == k.Name || !k.Wait && slices.Contains(k.Checks, "Kustomization/"+child.Name)
}

func (f Fleet) sources() map[string]bool {
	out := map[string]bool{}
	for _, k := range f.Kustomizations {
		out[k.Source] = true
	}
	return out
}

func (f Fleet) source(kustomization string) string {
	for _, k := range f.Kustomizations {
		if k.Name == kustomization {
			return k.Source
		}
	}
	return ""
}
