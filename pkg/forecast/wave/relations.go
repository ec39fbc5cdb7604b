package wave

// relations say what the objects of a simulation have to do with each other, by name, in the order of the fleet.
type relations struct {
	children   map[string][]*kustomization // what a Kustomization applies
	below      map[string][]*course        // the releases that it applies
	dependents map[string][]*kustomization // what depends on it
	checking   map[string][]*kustomization // what waits for the health of an object, by Kind/name
}

// relate sets what each Kustomization waits for, too.
func relate(all []*kustomization, releases []*course) *relations {
	out := &relations{map[string][]*kustomization{}, map[string][]*course{}, map[string][]*kustomization{}, map[string][]*kustomization{}}
	for _, k := range all {
		out.children[k.Parent] = append(out.children[k.Parent], k)
	}
	for _, r := range releases {
		out.below[r.Parent] = append(out.below[r.Parent], r)
	}
	for _, k := range all {
		k.targets = out.targets(k)
		add(out.dependents, k.DependsOn, k)
		add(out.checking, k.targets, k)
	}
	return out
}

// targets lists what a Kustomization waits for, by Kind/name.
func (r *relations) targets(k *kustomization) []string {
	if !k.Wait {
		return k.Checks
	}
	var out []string
	for _, child := range r.children[k.Name] {
		out = append(out, "Kustomization/"+child.Name)
	}
	for _, release := range r.below[k.Name] {
		out = append(out, "HelmRelease/"+release.Name)
	}
	return out
}

// add adds a Kustomization once under each name.
func add(to map[string][]*kustomization, names []string, k *kustomization) {
	for _, name := range names {
		if n := len(to[name]); n == 0 || to[name][n-1] != k {
			to[name] = append(to[name], k)
		}
	}
}
