package wave

import "slices"

// Graph says what must be ready before another object is, by Kind/namespace/name.
type Graph map[string][]string

// Graph returns what the objects of a fleet need: a Kustomization what it depends on and what it waits for, a release what
// it depends on, and that what the Kustomization depends on that applies it.
func (f Fleet) Graph() Graph {
	out, on := Graph{}, map[string][]string{}
	for i := range f.Kustomizations {
		k := &f.Kustomizations[i]
		if k.Suspend {
			continue
		}
		name := "Kustomization/" + k.Name
		for _, d := range k.DependsOn {
			on[k.Name] = append(on[k.Name], "Kustomization/"+d)
		}
		out[name] = slices.Clone(on[k.Name])
		if !k.Wait {
			out[name] = append(out[name], k.Checks...)
			continue
		}
		for j := range f.Kustomizations {
			if f.Kustomizations[j].Parent == k.Name && j != i {
				out[name] = append(out[name], "Kustomization/"+f.Kustomizations[j].Name)
			}
		}
	}
	waits := map[string]bool{}
	for _, k := range f.Kustomizations {
		waits[k.Name] = k.Wait && !k.Suspend
	}
	for _, r := range f.Releases {
		name := "HelmRelease/" + r.Name
		if !r.Suspend {
			for _, d := range r.DependsOn {
				out[name] = append(out[name], "HelmRelease/"+d)
			}
		}
		out[name] = append(out[name], on[r.Parent]...)
		if waits[r.Parent] {
			out["Kustomization/"+r.Parent] = append(out["Kustomization/"+r.Parent], name)
		}
	}
	return out
}

// Circle returns the shortest way from an object over one of some that it needs, or would need, back to itself, both ends
// included; nil if there is none.
func (g Graph) Circle(from string, over ...string) []string {
	return circle(from, func(name string) []string {
		if name == from {
			return over
		}
		return g[name]
	})
}

// circle returns the shortest way from an object back to itself, both ends included, by what each needs; nil if there
// is none.
func circle(from string, needs func(string) []string) []string {
	came := map[string]string{}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for _, next := range needs(queue[0]) {
			if next == from {
				way := []string{from}
				for at := queue[0]; at != from; at = came[at] {
					way = append(way, at)
				}
				way = append(way, from)
				slices.Reverse(way)
				return way
			}
			if _, seen := came[next]; !seen {
				came[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	return nil
}
