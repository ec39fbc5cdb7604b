package repair

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
)

// suspects returns, for each objection, the changes of a plan that may be its cause: those
// for the release that objects, those of an object that decides for it, and the patches for
// many that reach it. An objection of nobody may have any cause.
func suspects(plan []change, all []judge.Release, against []objection) [][]int {
	releases := byIdentity(all)
	out := make([][]int, len(against))
	for i, o := range against {
		objects := deciding(releases[o.by])
		for at, c := range plan {
			if o.by == (identity{}) || c.concerns(o.by, releases[o.by], objects) {
				out[i] = append(out[i], at)
			}
		}
	}
	return out
}

// deciding lists the objects of files that decide for releases.
func deciding(releases []judge.Release) map[string]bool {
	objects := map[string]bool{}
	for _, r := range releases {
		for _, d := range r.DecidedIn() {
			objects[objectKey(d.File.Name, d.Address())] = true
		}
	}
	return objects
}

// concerns reports whether a change is for a release, or changes what decides for it.
func (c change) concerns(id identity, releases []judge.Release, objects map[string]bool) bool {
	return slices.ContainsFunc(c.targets, func(t target) bool { return t.release == id || t.above(releases) }) ||
		slices.ContainsFunc(c.edits, func(e effective.Edit) bool { return objects[objectKey(e.File, e.At)] }) ||
		c.central != nil && slices.ContainsFunc(releases, c.central.reaches)
}

// above reports whether the repair of a finding is one of a Kustomization in a cluster of releases: others wait for that, which
// may be those that apply them.
func (t target) above(releases []judge.Release) bool {
	return !t.finding.Fix.OfRelease() && slices.ContainsFunc(releases, func(r judge.Release) bool { return r.Cluster == t.release.cluster })
}

// split separates the changes that are suspected of an objection from the others.
func split(plan []change, suspected [][]int) (suspect, other []change) {
	for at, c := range plan {
		if slices.ContainsFunc(suspected, func(s []int) bool { return slices.Contains(s, at) }) {
			suspect = append(suspect, c)
		} else {
			other = append(other, c)
		}
	}
	return suspect, other
}
