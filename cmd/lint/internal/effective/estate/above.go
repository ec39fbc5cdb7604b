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
			if _, known := over[parent]; !known {
				over[parent] = e.over(parent)
			}
			if over[parent] == nil || len(e.unknown[parent]) > 0 && len(over[parent].Missing) == 0 {
				continue // one that misses something is never ready, whatever else is unknown
			}
			own := e.fleet.Releases[r.at]
			above := e.fleet.Above(own, *over[parent])
			if len(above.Deadlock) > 0 {
				if way := e.circle("Kustomization/"+parent, "HelmRelease/"+own.Name); len(way) > 0 {
					above.Deadlock, above.Endless = way, true
				}
			}
			if parent == holder {
				above.Workers = workers
			}
			if above.Matters(r.Settings) && !r.Templated {
				r.Above = above
			}
		}
	}
}

// over says what is true of a Kustomization for each release that it applies; nil if nothing is known of it.
func (e *Estate) over(kustomization string) *release.Above {
	out := e.fleet.Over(kustomization, e.links)
	if out == nil || len(out.Dependents) == 0 || len(out.Circle) > 0 {
		return out
	}
	var applied []string
	for _, k := range e.fleet.Kustomizations {
		if k.Name == kustomization && k.Wait {
			return out
		}
		if k.Parent == kustomization && k.Name != kustomization {
			applied = append(applied, "Kustomization/"+k.Name)
		}
	}
	for _, r := range e.fleet.Releases {
		if r.Parent == kustomization {
			applied = append(applied, "HelmRelease/"+r.Name)
		}
	}
	out.Deadlock = e.circle("Kustomization/"+kustomization, applied...)
	return out
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
