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

// group are findings that want the same of releases that one Flux Kustomization
// applies, where nothing decides it.
type group struct {
	by       flux.Writer
	set      []rules.Edit
	releases []judged
	targets  []target
}

// shared gives repairs by one patch in a Flux Kustomization for many releases,
// if these are wanted: for all that it applies, else for those that are meant. A
// Kustomization gets one in a round. It tells too whether a finding is left to
// such a repair.
func (p *planner) shared(all []judged, files *fix.Files) (plan []repair, planned func(target) bool) {
	var left []target
	used := map[flux.Writer]bool{}
	for _, g := range p.groups(all) {
		if used[g.by] {
			left = append(left, g.targets...)
			continue
		}
		if r, ok := p.patch(g, files); ok {
			used[g.by] = true
			plan, left = append(plan, r), append(left, g.targets...)
		}
	}
	return plan, func(t target) bool { return slices.ContainsFunc(left, t.is) }
}

// groups collects what may be decided in one place, the largest group first.
func (p *planner) groups(all []judged) []group {
	if !p.central {
		return nil
	}
	var groups []group
	for _, j := range all {
		for _, t := range targetsOf(j) {
			if !p.wants(t) || len(j.AppliedBy) == 0 || !j.Undecided(t.finding.Fix.Set) {
				continue
			}
			at := slices.IndexFunc(groups, func(g group) bool {
				return g.by == j.AppliedBy[0] && reflect.DeepEqual(g.set, t.finding.Fix.Set)
			})
			if at < 0 {
				at = len(groups)
				groups = append(groups, group{by: j.AppliedBy[0], set: t.finding.Fix.Set})
			}
			groups[at].releases = append(groups[at].releases, j)
			groups[at].targets = append(groups[at].targets, t)
		}
	}
	groups = slices.DeleteFunc(slices.Clone(groups), func(g group) bool {
		return len(g.names()) < 2 || len(g.documents()) <= holders(groups, g)
	})
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(len(b.targets), len(a.targets)) })
	return groups
}

// holders counts the Kustomizations that would need the same patch for the same
// documents: where a base feeds more of them than it has releases, the base is
// the better place.
func holders(groups []group, g group) int {
	n := 0
	for _, o := range groups {
		shares := func(place flux.Writer) bool { return slices.Contains(g.documents(), place) }
		if reflect.DeepEqual(o.set, g.set) && slices.ContainsFunc(o.documents(), shares) {
			n++
		}
	}
	return n
}

// documents lists the places of the releases of a group.
func (g group) documents() []flux.Writer {
	var places []flux.Writer
	for _, j := range g.releases {
		if place := (flux.Writer{File: j.File, Line: j.Line}); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places
}

// names lists the releases of a group.
func (g group) names() []string {
	var names []string
	for _, j := range g.releases {
		names = append(names, j.Release.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// patch makes the first repair of a group that has not been objected to.
func (p *planner) patch(g group, files *fix.Files) (repair, bool) {
	for _, names := range [][]string{nil, g.names()} {
		r := repair{
			edits: g.releases[0].Central(g.set, names), targets: g.targets,
			central: fmt.Sprint(g.by, g.set, names),
		}
		if len(r.edits) == 0 || p.tried[r.central] {
			continue
		}
		if _, err := files.With(r.edits); err == nil {
			return r, true
		}
	}
	return repair{}, false
}

// patched says which releases a central repair has changed.
func patched(r repair, before, after state) string {
	by := flux.Writer{}
	is := byIdentity(after.all)
	var names []string
	for _, j := range before.all {
		if identityOf(j) == r.targets[0].release {
			by = j.AppliedBy[0]
		}
	}
	for _, j := range before.all {
		now := is[identityOf(j)]
		if len(j.AppliedBy) > 0 && j.AppliedBy[0] == by && !reflect.DeepEqual(j.Object, now[0].Object) {
			names = append(names, title(j))
		}
	}
	return fmt.Sprintf("%s: a patch of %s changes %s", by.File, by.What, list(slices.Compact(names)))
}
