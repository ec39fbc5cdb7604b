package estate

import "github.com/flux-remedy/remedy/pkg/release"

// Applied is a release in the estate that applies it.
type Applied struct {
	*release.Release
	In *Estate
	// Templated is true if a ResourceSet renders it.
	Templated bool

	at int // its place in the estate
}

// Above says of releases what is above them, where that is known and may be wrong: whatever a rule may read of a release
// sets it apart from those that it could be judged with.
func Above(all []Applied) {
	var order []*Estate
	of := map[*Estate][]Applied{}
	for _, r := range all {
		e, known := r.In, false
		if r.at, known = e.places()[e.nameOf(r.Namespace+"/"+r.Name, r.Cluster)]; !known {
			continue
		}
		e.set(r)
		if of[e] == nil {
			order = append(order, e)
		}
		of[e] = append(of[e], r)
	}
	for _, e := range order {
		holder, workers := e.fleet.Held()
		over := map[string]*release.Above{} // by Kustomization
		for _, r := range of[e] {
			e.set(r) // it may be one of several that the release may be
			parent := e.fleet.Releases[r.at].Parent
			if len(e.unknown[parent]) > 0 {
				continue
			}
			if _, known := over[parent]; !known {
				over[parent] = e.fleet.Over(parent, e.links)
			}
			if over[parent] == nil {
				continue
			}
			above := e.fleet.Above(e.fleet.Releases[r.at], *over[parent])
			if parent == holder {
				above.Workers = workers
			}
			if above.Matters(r.Settings) && !r.Templated {
				r.Above = above
			}
		}
	}
}

// set copies the settings and the controller of a release to its place in the estate.
func (e *Estate) set(r Applied) {
	e.fleet.Releases[r.at].Settings, e.fleet.Releases[r.at].Controller = *r.Settings, r.Controller
}

// places returns where each release is among those of the estate.
func (e *Estate) places() map[string]int {
	if e.at == nil {
		e.at = map[string]int{}
		for i, r := range e.fleet.Releases {
			e.at[r.Name] = i
		}
	}
	return e.at
}
