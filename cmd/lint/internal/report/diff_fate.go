package report

import (
	"cmp"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// fates are what becomes of releases: one that a cluster applies with several contents has several changes and one fate.
type fates map[releaseID]*fate

type fate struct {
	before, after, changed, renamed, unknown bool

	lost []Finding // of what is gone of it
}

// add adds what becomes of one content of a release.
func (all fates) add(p pair, c Change) {
	id := cmp.Or(p.after, p.before).id()
	of := all[id]
	if of == nil {
		of = &fate{}
		all[id] = of
	}
	of.before = of.before || p.before != nil || c.WasUnknown != nil
	of.after = of.after || p.after != nil
	of.changed = of.changed || !c.alike() && !c.waived()
	of.renamed = of.renamed || c.From != nil
	of.unknown = of.unknown || c.Unknown != nil
	if p.after == nil {
		of.lost = append(of.lost, c.Lost...)
	}
}

// count counts each release by the worst that becomes of it.
func (all fates) count(s *DiffSummary) {
	for _, of := range all {
		switch {
		case of.unknown:
			s.Undetermined++
		case !of.before:
			s.Added++
		case !of.after:
			s.Removed++
			for _, f := range of.lost {
				s.gone.Add(f.Severity, false)
			}
		case of.changed:
			s.Changed++
		}
		if of.renamed {
			s.Renamed++
		}
	}
}

// waived reports whether nothing changes but that findings are waived.
func (c Change) waived() bool {
	c.Lost = slices.DeleteFunc(slices.Clone(c.Lost), func(f Finding) bool { return f.Waived != nil })
	return c.alike()
}

// spread returns the releases of both states: those that were followed, and those of which nothing could be judged.
func (d Diff) spread(followed []pair, undetermined ...[]release.Undetermined) spread {
	out, known := spread{}, map[releaseID]bool{}
	for _, p := range followed {
		out[cmp.Or(p.after, p.before).id()] = true
		for _, j := range []*Judged{p.before, p.after} {
			if j != nil {
				known[j.id()] = true
			}
		}
	}
	hidden := map[string]bool{} // by what is undetermined in one of the states
	for _, c := range d.Changes {
		hidden[c.Name.String()] = hidden[c.Name.String()] || c.Unknown != nil || c.WasUnknown != nil
	}
	for _, state := range undetermined {
		seen, nth := map[releaseID]bool{}, map[string]int{}
		for _, u := range state {
			id := idOf(u.Release, u.Cluster, u.File, u.Line)
			if !whole(u) || known[id] || seen[id] || u.Cluster == "" && hidden[u.Release] {
				continue
			}
			seen[id] = true
			if u.Cluster == "" { // its document may be at another place in the other state
				nth[u.Release]++
				id.at = Place{Line: nth[u.Release]}
			}
			out[id] = true
		}
	}
	return out
}
