package wave

import (
	"slices"
	"strings"
)

// around returns the part of a fleet that a release and its dependents can hold up, and the release in it.
func (f Fleet) around(name string, dependents map[string]bool, links Links) (Fleet, *Release) {
	in, queue := map[string]bool{}, []string{}
	add := func(kustomizations ...string) {
		for _, k := range kustomizations {
			if !in[k] {
				in[k] = true
				queue = append(queue, k)
			}
		}
	}
	for i := range f.Releases {
		r := &f.Releases[i]
		if r.Name != name && !dependents[r.Name] {
			continue
		}
		add(r.Parent)
		for j := range f.Kustomizations {
			if k := &f.Kustomizations[j]; !k.Wait && k.checks(r.Name) {
				add(k.Name)
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		add(links.waiting[queue[0]]...)
	}
	return f.part(in, name)
}

// Links say who waits for whom among the Kustomizations of a fleet, by their names.
type Links struct {
	needs   map[string][]string // what must be ready before one is
	waiting map[string][]string // what cannot be ready before one is
}

// Links returns who depends on which Kustomization, or waits for its health.
func (f Fleet) Links() Links {
	out, waits := Links{map[string][]string{}, map[string][]string{}}, map[string]bool{}
	for i := range f.Kustomizations {
		k := &f.Kustomizations[i]
		waits[k.Name] = waits[k.Name] || k.Wait
	}
	link := func(name, on string) {
		out.needs[name], out.waiting[on] = append(out.needs[name], on), append(out.waiting[on], name)
	}
	for i := range f.Kustomizations {
		for _, on := range f.Kustomizations[i].DependsOn {
			link(f.Kustomizations[i].Name, on)
		}
	}
	for i := range f.Kustomizations {
		k := &f.Kustomizations[i]
		if waits[k.Parent] && k.Parent != k.Name {
			link(k.Parent, k.Name)
		}
		for _, check := range k.Checks {
			if child, is := strings.CutPrefix(check, "Kustomization/"); is && !k.Wait && child != k.Name {
				link(k.Name, child)
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
