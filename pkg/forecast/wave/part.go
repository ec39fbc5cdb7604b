package wave

import (
	"slices"
	"strings"
)

// around returns the part of a fleet that a release can hold up, and the release in it; nil if the fleet
// has no such release.
func (f Fleet) around(name string) (Fleet, *Release) {
	if !slices.ContainsFunc(f.Releases, func(r Release) bool { return r.Name == name }) {
		return Fleet{}, nil
	}
	dependents := f.dependents(name)
	in := map[string]bool{}
	for _, r := range f.Releases {
		if r.Name != name && !dependents[r.Name] {
			continue
		}
		in[r.Parent] = true
		for _, k := range f.Kustomizations {
			in[k.Name] = in[k.Name] || !k.Wait && k.checks(r.Name)
		}
	}
	waiting, queue := f.waiting(), []string{}
	for name, is := range in {
		if is {
			queue = append(queue, name)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, k := range waiting[queue[0]] {
			if !in[k] {
				in[k] = true
				queue = append(queue, k)
			}
		}
	}
	return f.part(in, name)
}

// waiting returns who depends on a Kustomization or waits for its health, by its name.
func (f Fleet) waiting() map[string][]string {
	out, waits := map[string][]string{}, map[string]bool{}
	for _, k := range f.Kustomizations {
		waits[k.Name] = waits[k.Name] || k.Wait
	}
	for _, k := range f.Kustomizations {
		for _, on := range k.DependsOn {
			out[on] = append(out[on], k.Name)
		}
		if waits[k.Parent] {
			out[k.Name] = append(out[k.Name], k.Parent)
		}
		for _, check := range k.Checks {
			if child, is := strings.CutPrefix(check, "Kustomization/"); is && !k.Wait {
				out[child] = append(out[child], k.Name)
			}
		}
	}
	return out
}

// part returns some Kustomizations of a fleet with what they apply, and one of their releases. What else they wait
// for is ready, and there are workers enough.
func (f Fleet) part(in map[string]bool, name string) (Fleet, *Release) {
	out := Fleet{Controller: f.Controller}
	out.Controller.Concurrent = len(f.Kustomizations) + 1
	targets := map[string]bool{}
	for _, r := range f.Releases {
		if in[r.Parent] {
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
	for i := range out.Releases {
		r := &out.Releases[i]
		r.DependsOn = slices.DeleteFunc(slices.Clone(r.DependsOn), func(on string) bool { return !targets["HelmRelease/"+on] })
	}
	at := slices.IndexFunc(out.Releases, func(r Release) bool { return r.Name == name })
	return out, &out.Releases[at]
}

// dependents returns the releases that depend on one, or on such a one.
func (f Fleet) dependents(name string) map[string]bool {
	out := map[string]bool{}
	for queue := []string{name}; len(queue) > 0; queue = queue[1:] {
		for _, r := range f.Releases {
			if r.Name != name && !out[r.Name] && slices.Contains(r.DependsOn, queue[0]) {
				out[r.Name] = true
				queue = append(queue, r.Name)
			}
		}
	}
	return out
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
	if k := f.named(kustomization); k != nil {
		return k.Source
	}
	return ""
}
