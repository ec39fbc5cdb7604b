package effective

import "github.com/flux-remedy/remedy/pkg/release"

// applied is a release with its place in an estate.
type applied struct {
	*Release
	at int
}

// above says of releases what is above them, where that is known and may be wrong: whatever a rule may read of a release
// sets it apart from those that it could be judged with.
func (l *loader) above(all []*Release) {
	var order []*estate
	of := map[*estate][]applied{}
	for _, r := range all {
		e := r.estates.of(r)
		if e == nil || r.Settings == nil {
			continue
		}
		at, known := e.places()[e.nameOf(r.Namespace+"/"+r.Name, r.Cluster)]
		if !known {
			continue
		}
		e.set(applied{r, at})
		if of[e] == nil {
			order = append(order, e)
		}
		of[e] = append(of[e], applied{r, at})
	}
	for _, e := range order {
		holder, workers := e.Held()
		over := map[string]*release.Above{} // by Kustomization
		for _, r := range of[e] {
			e.set(r) // it may be one of several that the release may be
			parent := e.Releases[r.at].Parent
			if len(e.unknown[parent]) > 0 {
				continue
			}
			if _, known := over[parent]; !known {
				over[parent] = e.Over(parent, e.links)
			}
			if over[parent] == nil {
				continue
			}
			above := e.Above(e.Releases[r.at], *over[parent])
			if parent == holder {
				above.Workers = workers
			}
			if above.Matters(r.Settings) && !r.templated() {
				r.Above = above
			}
		}
	}
}

// set copies the settings and the controller of a release to its place in the estate.
func (e *estate) set(r applied) {
	e.Releases[r.at].Settings, e.Releases[r.at].Controller = *r.Settings, r.Controller
}

// places returns where each release is among those of the estate.
func (e *estate) places() map[string]int {
	if e.at == nil {
		e.at = map[string]int{}
		for i, r := range e.Releases {
			e.at[r.Name] = i
		}
	}
	return e.at
}
