package repair

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair/draft"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// centralCandidate is a place that patches several releases, with their findings
// that want the same there and that nothing decides yet.
type centralCandidate struct {
	at       effective.PatchSite
	set      []rules.Edit
	releases []judge.Release
	targets  []target
	reached  []judge.Release // all that a patch in this place may change
	all      []judge.Release // of all places
	waits    bool            // until the findings that want more in this place are repaired
	narrow   bool            // to its names, because others in this place want less
}

// centralChanges returns changes by one patch for many releases, if these are
// wanted, each where it repairs most. Planned reports whether a finding is left to
// such a change, in this round or a later one.
func (p *planner) centralChanges(all []judge.Release, files *draft.Files) (plan []change, planned func(target) bool) {
	var taken, left []target
	for _, candidate := range p.candidates(all) {
		c, ok := p.centralChange(candidate, files)
		if !ok {
			continue
		}
		left = append(left, candidate.targets...)
		if !candidate.waits && !slices.ContainsFunc(candidate.targets, func(t target) bool { return slices.ContainsFunc(taken, t.is) }) {
			plan, taken = append(plan, c), append(taken, candidate.targets...)
		}
	}
	return plan, func(t target) bool { return slices.ContainsFunc(left, t.is) }
}

// candidates lists the places where a patch for several releases is worth while,
// the one that repairs most first. A patch that is there already counts double.
func (p *planner) candidates(all []judge.Release) []centralCandidate {
	if !p.Central {
		return nil
	}
	candidates, wanted := p.allCandidates(all)
	candidates = p.withoutFewer(candidates)
	candidates = slices.DeleteFunc(candidates, func(c centralCandidate) bool { return len(c.names()) < 2 || !c.saves(wanted) })
	slices.SortStableFunc(candidates, func(a, b centralCandidate) int { return cmp.Compare(b.weight(), a.weight()) })
	reached := map[string]map[effective.Writer][]judge.Release{} // by the kind of what is edited
	for i, c := range candidates {
		kind := c.set[0].Object
		if reached[kind] == nil {
			reached[kind] = reachedBy(all, c.set)
		}
		candidates[i].reached, candidates[i].all = reached[kind][c.at.Writer], all
	}
	return candidates
}

func (c centralCandidate) weight() int {
	if c.at.Extends {
		return 2 * len(c.targets)
	}
	return len(c.targets)
}

// withoutFewer sees to candidates whose findings want all that others want in the same place, and something else, which
// a patch must not bring to those others. If they are fewer they are left out, for repairs of their own, else theirs is
// a patch for them alone; and the others wait, as a patch for those would decide part of it for these, too.
func (p *planner) withoutFewer(candidates []centralCandidate) []centralCandidate {
	fewer, in := make([]bool, len(candidates)), map[effective.Writer][]int{}
	for i, c := range candidates {
		in[c.at.Writer] = append(in[c.at.Writer], i)
	}
	for i := range candidates {
		for _, j := range in[candidates[i].at.Writer] {
			if c := candidates[j]; c.extends(candidates[i]) {
				candidates[j].narrow = true
				candidates[i].waits = candidates[i].waits || slices.ContainsFunc(c.targets, p.selects)
				fewer[j] = fewer[j] || c.weight() <= candidates[i].weight()
			}
		}
	}
	at := -1
	return slices.DeleteFunc(candidates, func(centralCandidate) bool { at++; return fewer[at] })
}

// extends reports whether the findings of two candidates for one place are of one rule, and want the same, the
// first ones more.
func (c centralCandidate) extends(other centralCandidate) bool {
	return c.targets[0].finding.Rule == other.targets[0].finding.Rule && len(c.set) > len(other.set) &&
		!slices.ContainsFunc(other.set, func(e rules.Edit) bool {
			return !slices.ContainsFunc(c.set, func(mine rules.Edit) bool { return reflect.DeepEqual(mine, e) })
		})
}

// documentFix is a fix of a document.
type documentFix struct {
	document effective.Writer
	set      string
}

func documentFixOf(of effective.Subject, set []rules.Edit) documentFix {
	return documentFix{effective.Writer{File: of.File, Line: of.Line}, fmt.Sprint(set)}
}

// allCandidates groups findings by every place that may decide them. It also
// counts, for each document, the findings that want the same.
func (p *planner) allCandidates(all []judge.Release) ([]centralCandidate, map[documentFix]int) {
	var candidates []centralCandidate
	wanted, index := map[documentFix]int{}, map[string]int{}
	for _, r := range all {
		for _, t := range p.targetsOf(r) {
			if !p.wants(t) || halved(t.finding.Fix.Set) {
				continue
			}
			set := effective.Unnamed(t.finding.Fix.Set)
			of, known := r.SubjectOf(set)
			if !known || !effective.Undecided(of.Object, set) {
				continue
			}
			wanted[documentFixOf(of, set)]++
			for _, site := range of.PatchSites() {
				key := placeOf(site, set)
				if slices.Contains(p.unhelped[key], t.release) {
					continue
				}
				at, ok := index[key]
				if !ok {
					at, index[key] = len(candidates), len(candidates)
					candidates = append(candidates, centralCandidate{at: site, set: set})
				}
				candidates[at].releases = append(candidates[at].releases, r)
				candidates[at].targets = append(candidates[at].targets, t)
			}
		}
	}
	return candidates, wanted
}

// reachedBy returns, for each place, the releases that a patch there may change, or whose Kustomizations it may.
func reachedBy(all []judge.Release, set []rules.Edit) map[effective.Writer][]judge.Release {
	out := map[effective.Writer][]judge.Release{}
	for _, r := range all {
		for _, site := range sitesOf(r, set) {
			out[site.Writer] = append(out[site.Writer], r)
		}
	}
	return out
}

// sitesOf lists the places for patches of what edits of a release are of.
func sitesOf(r judge.Release, set []rules.Edit) []effective.PatchSite {
	of, known := r.SubjectOf(set)
	if !known {
		return nil
	}
	return of.PatchSites()
}

// halved reports whether edits set only one of install and upgrade. A patch for many sets
// both or none.
func halved(set []rules.Edit) bool {
	sets := func(half string) bool {
		return slices.ContainsFunc(set, func(e rules.Edit) bool { return len(e.Path) > 1 && e.Path[1] == half })
	}
	return sets("install") != sets("upgrade")
}

// saves reports whether fewer places like this one than documents would have to
// be edited: where a base feeds more places than it has releases, the base is the
// better one.
func (c centralCandidate) saves(wanted map[documentFix]int) bool {
	total, documents := 0, c.documents()
	for fix := range documents {
		total += wanted[fix]
	}
	return total <= (len(documents)-1)*len(c.targets)
}

// few reports whether there are one or two documents, and no other release is made of them.
func (c centralCandidate) few() bool {
	documents := c.documents()
	return len(documents) < 3 && !slices.ContainsFunc(c.all, func(r judge.Release) bool {
		of, known := r.SubjectOf(c.set)
		is := func(o judge.Release) bool { return identityOf(o) == identityOf(r) }
		return known && documents[documentFixOf(of, c.set)] && !slices.ContainsFunc(c.releases, is)
	})
}

// documents returns what would be edited in place of the place of a candidate.
func (c centralCandidate) documents() map[documentFix]bool {
	out := map[documentFix]bool{}
	for _, r := range c.releases {
		out[documentFixOf(c.subject(r), c.set)] = true
	}
	return out
}

// subject returns what is edited of a release that the candidate reaches.
func (c centralCandidate) subject(r judge.Release) effective.Subject {
	out, _ := r.SubjectOf(c.set)
	return out
}

// above reports whether Kustomizations are edited, and not the releases.
func (c centralCandidate) above() bool { return c.set[0].Object != "" }

// names lists what is edited as patches know it.
func (c centralCandidate) names() []string {
	var names []string
	for _, r := range c.releases {
		names = append(names, c.subject(r).WrittenName())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// centralChange returns the first change by a patch that has not been objected
// to, with the widest target.
func (p *planner) centralChange(candidate centralCandidate, files *draft.Files) (change, bool) {
	for to := range candidate.patchTargets() {
		patch := &centralPatch{at: candidate.at, set: candidate.set}
		patch.key = fmt.Sprint(patch.place(), to, len(candidate.targets))
		c := change{edits: candidate.at.Edits(candidate.set, to), targets: candidate.targets, central: patch}
		if len(c.edits) == 0 || p.tried[patch.key] {
			continue
		}
		if _, err := files.With(c.edits); err == nil {
			return c, true
		}
	}
	return change{}, false
}

// others lists the releases that a central patch has changed though they were not
// in need of it.
func (c change) others(before, after judge.State) []target {
	if c.central == nil {
		return nil
	}
	is := byIdentity(after.Releases)
	var out []target
	for _, r := range before.Releases {
		id := identityOf(r)
		meant := slices.ContainsFunc(c.targets, func(t target) bool { return t.release == id })
		if !meant && c.central.reaches(r) && c.changes(r, is[id][0]) {
			out = append(out, target{release: id, title: title(r)})
		}
	}
	return out
}

func (p *centralPatch) reaches(r judge.Release) bool {
	return slices.ContainsFunc(sitesOf(r, p.set), func(s effective.PatchSite) bool { return s.Writer == p.at.Writer })
}

// changes reports whether a field is another than before by the patch, and not by another edit.
func (c change) changes(before, after judge.Release) bool {
	return slices.ContainsFunc(c.central.set, func(set rules.Edit) bool {
		was, _ := before.ValueIn(set.Object, set.Path)
		is, _ := after.ValueIn(set.Object, set.Path)
		return !reflect.DeepEqual(was, is) && slices.ContainsFunc(c.edits, func(e effective.Edit) bool { return decides(e, after, set) })
	})
}
