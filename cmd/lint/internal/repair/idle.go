package repair

import (
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// withoutIdle leaves out the edits of a plan that others of it make needless: something
// else replaces what they write. It reports whether there are any. The findings of a change
// of which no edit of its own is left become those of another.
func withoutIdle(plan []change, after judge.State) ([]change, bool) {
	is := byIdentity(after.Releases)
	var out []change
	idle := false
	for _, c := range plan {
		edits := c.inForce(is)
		if len(edits) == len(c.edits) {
			out = append(out, c)
			continue
		}
		idle, c.edits = true, edits
		i := slices.IndexFunc(out, func(o change) bool { return o.includes(c, is) })
		switch {
		case i >= 0:
			out[i].targets = slices.Concat(out[i].targets, c.targets)
		case len(edits) == 0:
			return plan, false
		default:
			out = append(out, c)
		}
	}
	return out, idle
}

// withoutRepeats leaves out the changes that set what another one sets for the same releases
// by a patch of theirs. Whether that patch comes last, only looking at the tree shows.
func withoutRepeats(plan []change) []change {
	out := slices.Clone(plan)
	for _, c := range plan {
		at := slices.IndexFunc(out, func(o change) bool { return slices.ContainsFunc(o.targets, c.targets[0].is) })
		c = out[at] // with what has been added
		ways := c.byPatches()
		if by := slices.IndexFunc(out, func(o change) bool { return o.makesOneOfEach(ways) }); by >= 0 && by != at {
			out[by].targets = slices.Concat(out[by].targets, c.targets)
			out = slices.Delete(out, at, at+1)
		}
	}
	return out
}

// byPatches returns, for every finding of a change, the edits of each patch of its release that
// would repair it.
func (c change) byPatches() [][][]effective.Edit {
	ways := make([][][]effective.Edit, len(c.targets))
	for i, t := range c.targets {
		for _, site := range sitesOf(t.of, t.finding.Fix.Set) {
			if site.Extends {
				ways[i] = append(ways[i], site.Edits(t.finding.Fix.Set, effective.Target{}))
			}
		}
	}
	return ways
}

// makesOneOfEach reports whether a change makes, for every finding, the edits of one of the ways
// to repair it.
func (c change) makesOneOfEach(findings [][][]effective.Edit) bool {
	return !slices.ContainsFunc(findings, func(ways [][]effective.Edit) bool { return !slices.ContainsFunc(ways, c.makesAll) })
}

// makesAll reports whether a change makes some edits.
func (c change) makesAll(edits []effective.Edit) bool {
	return len(edits) > 0 && !slices.ContainsFunc(edits, func(e effective.Edit) bool { return !c.makes(e) })
}

// makes reports whether a change makes an edit.
func (c change) makes(e effective.Edit) bool {
	return slices.ContainsFunc(c.edits, func(mine effective.Edit) bool { return mine.File == e.File && reflect.DeepEqual(mine, e) })
}

// inForce returns the edits of a change that take part in a repair, given the releases after it.
func (c change) inForce(is map[identity][]judge.Release) []effective.Edit {
	return slices.DeleteFunc(slices.Clone(c.edits), func(e effective.Edit) bool {
		return !slices.ContainsFunc(c.targets, func(t target) bool { return t.decidedBy(e, is[t.release]) })
	})
}

// includes reports whether a change makes all edits of another one and, if that has none, one
// that repairs its findings.
func (c change) includes(o change, is map[identity][]judge.Release) bool {
	decides := func(e effective.Edit) bool {
		return e.Value != nil && o.targets[0].decidedBy(e, is[o.targets[0].release])
	}
	return !slices.ContainsFunc(o.edits, func(e effective.Edit) bool { return !c.makes(e) }) && (len(o.edits) > 0 || slices.ContainsFunc(c.edits, decides))
}

// decidedBy reports whether an edit takes part in the repair of a finding: it removes
// something, or writes what is in force in a release after it.
func (t target) decidedBy(e effective.Edit, after []judge.Release) bool {
	return e.Value == nil || slices.ContainsFunc(after, func(r judge.Release) bool {
		return slices.ContainsFunc(t.finding.Fix.Set, func(set rules.Edit) bool { return decides(e, r, set) })
	})
}

// decides reports whether an edit writes what is in force in a release of a field to set.
func decides(e effective.Edit, r judge.Release, set rules.Edit) bool {
	at := r.LocateIn(set.Object, set.Path)
	return at.File == e.File && e.At.Holds(at.Address())
}
