package main

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fix"
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// group are findings that want the same of releases that one place patches,
// where nothing decides it.
type group struct {
	at       flux.Holder
	set      []rules.Edit
	releases []judged
	targets  []target
}

// shared gives repairs by one patch for many releases, if these are wanted, each
// where it repairs most. It tells too whether a finding is left to such a
// repair, in this round or a later one.
func (p *planner) shared(all []judged, files *fix.Files) (plan []repair, planned func(target) bool) {
	var taken, left []target
	for _, g := range p.groups(all) {
		r, ok := p.patch(g, files)
		if !ok {
			continue
		}
		left = append(left, g.targets...)
		if !slices.ContainsFunc(g.targets, func(t target) bool { return slices.ContainsFunc(taken, t.is) }) {
			plan, taken = append(plan, r), append(taken, g.targets...)
		}
	}
	return plan, func(t target) bool { return slices.ContainsFunc(left, t.is) }
}

// groups collects what may be decided in one place, the one that repairs most
// first. A patch that is there already counts double.
func (p *planner) groups(all []judged) []group {
	if !p.central {
		return nil
	}
	groups, wanted := p.candidates(all)
	groups = slices.DeleteFunc(groups, func(g group) bool { return len(g.names()) < 2 || !g.saves(wanted) })
	weight := func(g group) int {
		if g.at.Extends {
			return 2 * len(g.targets)
		}
		return len(g.targets)
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(weight(b), weight(a)) })
	return groups
}

// want is a repair of a document.
type want struct {
	document flux.Writer
	set      string
}

func wantOf(j judged, set []rules.Edit) want {
	return want{flux.Writer{File: j.File, Line: j.Line}, fmt.Sprint(set)}
}

// candidates groups findings by every place that may decide them; and counts,
// for each document, those that want the same.
func (p *planner) candidates(all []judged) ([]group, map[want]int) {
	var groups []group
	wanted, index := map[want]int{}, map[string]int{}
	for _, j := range all {
		for _, t := range targetsOf(j) {
			if !p.wants(t) || !j.Undecided(t.finding.Fix.Set) {
				continue
			}
			wanted[wantOf(j, t.finding.Fix.Set)]++
			for _, holder := range j.Holders() {
				key := placeOf(holder, t.finding.Fix.Set)
				if slices.Contains(p.unhelped[key], t.release) {
					continue
				}
				at, ok := index[key]
				if !ok {
					at, index[key] = len(groups), len(groups)
					groups = append(groups, group{at: holder, set: t.finding.Fix.Set})
				}
				groups[at].releases = append(groups[at].releases, j)
				groups[at].targets = append(groups[at].targets, t)
			}
		}
	}
	return groups, wanted
}

// saves tells whether fewer places like this one than documents would have to be
// edited: where a base feeds more places than it has releases, the base is the
// better one.
func (g group) saves(wanted map[want]int) bool {
	total, documents := 0, map[want]bool{}
	for _, j := range g.releases {
		w := wantOf(j, g.set)
		if !documents[w] {
			documents[w] = true
			total += wanted[w]
		}
	}
	return total <= (len(documents)-1)*len(g.targets)
}

// names lists the releases of a group as patches know them.
func (g group) names() []string {
	var names []string
	for _, j := range g.releases {
		names = append(names, j.WrittenName())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// patch makes the first repair of a group that has not been objected to: for all
// that the place patches, else for those that are meant.
func (p *planner) patch(g group, files *fix.Files) (repair, bool) {
	for _, names := range [][]string{nil, g.names()} {
		r := repair{
			edits: g.at.Edits(g.set, names), targets: g.targets,
			central: &central{by: g.at, set: g.set, key: fmt.Sprint(placeOf(g.at, g.set), names, len(g.targets))},
		}
		if len(r.edits) == 0 || p.tried[r.central.key] {
			continue
		}
		if _, err := files.With(r.edits); err == nil {
			return r, true
		}
	}
	return repair{}, false
}

// central is a repair by one patch for many releases.
type central struct {
	by  flux.Holder
	set []rules.Edit
	key string // names the attempt
}

// place names what is patched there.
func (c *central) place() string { return placeOf(c.by, c.set) }

func placeOf(h flux.Holder, set []rules.Edit) string { return fmt.Sprint(h.Writer, set) }

// others lists the releases that a repair by one patch changes though they were
// not in need of it.
func (r repair) others(before, after state) []target {
	is := byIdentity(after.all)
	var out []target
	for _, j := range before.all {
		id := identityOf(j)
		meant := slices.ContainsFunc(r.targets, func(t target) bool { return t.release == id })
		if !meant && r.central.reaches(j) && r.central.changes(j, is[id][0]) {
			out = append(out, target{release: id, name: title(j)})
		}
	}
	return out
}

func (c *central) reaches(j judged) bool {
	return slices.ContainsFunc(j.Holders(), func(h flux.Holder) bool { return h.Writer == c.by.Writer })
}

// changes tells whether a field that the patch writes is another than before.
func (c *central) changes(before, after judged) bool {
	return slices.ContainsFunc(c.set, func(e rules.Edit) bool {
		was, _ := before.Value(e.Path)
		is, _ := after.Value(e.Path)
		return !reflect.DeepEqual(was, is)
	})
}
