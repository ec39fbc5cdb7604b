package effective

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Tree is the result of [Load].
type Tree struct {
	// Releases are sorted by cluster, namespace, name, file and line.
	Releases []*Release
	// Undetermined and Problems are sorted by file and line.
	Undetermined []release.Undetermined
	Problems     []Problem
	// Unapplied is what no cluster of the tree applies, if the tree has entries of
	// clusters and [Options.Unapplied] is not set: a release, or a Kustomization or
	// ResourceSet that would apply some. Its place is that of the outermost file that
	// would apply it. It is sorted as Undetermined is.
	Unapplied []release.Undetermined
	// Resumed is what cannot be judged of suspended releases when they are resumed, in place of what names rules
	// of theirs in Undetermined. It is sorted as that is.
	Resumed []release.Undetermined
	// AsWritten is true if no folder of the inputs has the entry of a cluster: then
	// releases are loaded as they are written, or as a folder builds them.
	AsWritten bool
	// Accepting holds the places of the entries of spec.undetermined.accept that
	// match something undetermined, expired ones too, with the items of their lists that do.
	Accepting map[int]map[string]bool

	// Comments are those that waive a rule, or are meant to.
	Comments Comments

	Files     int // files that were read
	Documents int // documents of a HelmRelease, complete or not
	Partial   int // HelmRelease documents that only patch others

	opts             Options
	folders, entered int // inputs that are folders, and those with the entry of a cluster
	clusters         []*fleet.Resolved
}

// Unbuilt lists the Kustomizations that cannot be built.
func (t *Tree) Unbuilt() []fleet.Unbuilt {
	var out []fleet.Unbuilt
	for _, c := range t.clusters {
		out = append(out, c.Unbuilt...)
	}
	return out
}

// Reads lists the files that the clusters with releases read.
func (t *Tree) Reads() []string {
	var out []string
	for _, c := range t.clusters {
		if !c.LeftOver && len(c.Releases) > 0 {
			out = append(out, c.Reads()...)
		}
	}
	for _, r := range t.Releases {
		out = append(out, r.File)
	}
	return out
}

// DependsOnBase reports whether the tree must be loaded as the change of a base: Flux leaves something
// on its clusters as it was, or something in it counts as applied by hand.
func (t *Tree) DependsOnBase(base *Tree) bool {
	before := base.clusterOf()
	return slices.ContainsFunc(t.clusters, func(c *fleet.Resolved) bool { return c.DependsOnBase(before(c.Cluster)) })
}

// Problem is something that cannot be read at all.
type Problem = manifests.Problem

// unreadable adds what cannot be read of files.
func (t *Tree) unreadable(files *tree.Tree) {
	for _, p := range files.Problems() {
		t.Problems = append(t.Problems, Problem{File: files.Name(p.Path), Err: p.Err})
	}
}

// Undetermine adds what cannot be judged of a release, and says whether the
// configuration accepts it. The reason names a field.
func (t *Tree) Undetermine(r *Release, u release.Undetermined) {
	t.Undetermined = append(t.Undetermined, t.undetermined(r, u))
}

// UndetermineResumed does so of a suspended release when it is resumed.
func (t *Tree) UndetermineResumed(r *Release, u release.Undetermined) {
	t.Resumed = append(t.Resumed, t.undetermined(r, u))
}

func (t *Tree) undetermined(r *Release, u release.Undetermined) release.Undetermined {
	u.File, u.Line, u.Cluster, u.Release, u.Tier = r.File, r.Line, r.Cluster, r.ID().String(), r.Tier
	return t.accepted(u, r.at.Path)
}

// Settle sorts what is undetermined after more of it was added.
func (t *Tree) Settle() { t.Undetermined, t.Resumed = sorted(t.Undetermined), sorted(t.Resumed) }

// sort sorts everything and drops what is undetermined or a problem twice.
func (t *Tree) sort() {
	slices.SortFunc(t.Releases, func(a, b *Release) int {
		order := cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
		if order == 0 && a != b {
			order = cmp.Compare(outcome(a), outcome(b))
		}
		return order
	})
	t.Undetermined, t.Unapplied = sorted(t.Undetermined), sorted(t.Unapplied)
	slices.SortFunc(t.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	t.Problems = slices.CompactFunc(t.Problems, func(a, b Problem) bool {
		return a.File == b.File && a.Line == b.Line && a.Column == b.Column && a.Err.Error() == b.Err.Error()
	})
}

// outcome identifies what a release would be, among the several it may be.
func outcome(r *Release) string { return fmt.Sprint(r.Controller, r.Tier, r.Object) }

// sorted sorts what is undetermined and drops what is there twice.
func sorted(all []release.Undetermined) []release.Undetermined {
	slices.SortFunc(all, func(a, b release.Undetermined) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Cluster, b.Cluster),
			cmp.Compare(a.Release, b.Release), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Content, b.Content))
	})
	return slices.Compact(all)
}

// clusterOf returns what finds a cluster of the tree by its name, and of several the one whose entry
// is in the same file; nil if there is no tree.
func (t *Tree) clusterOf() func(*entries.Cluster) *fleet.Resolved {
	if t == nil {
		return nil
	}
	return func(now *entries.Cluster) *fleet.Resolved {
		var found *fleet.Resolved
		for _, c := range t.clusters {
			if c.Name == now.Name && !c.LeftOver && (found == nil || c.File == now.File && found.File != now.File) {
				found = c
			}
		}
		return found
	}
}

// accepted says of something that is not judged whether the configuration accepts
// it. The path is the one that the configuration knows.
func (t *Tree) accepted(u release.Undetermined, path string) release.Undetermined {
	if t.opts.Config == nil { // releases alone, of which only the findings are asked for
		return u
	}
	matching, valid := t.opts.Config.Accepts(u, path, t.opts.Now)
	for _, i := range matching {
		if t.Accepting[i] == nil {
			t.Accepting[i] = map[string]bool{}
		}
		for _, member := range t.opts.Config.Spec.Undetermined.Accept[i].Members(u, path) {
			t.Accepting[i][member] = true
		}
	}
	if valid >= 0 {
		entry := t.opts.Config.Spec.Undetermined.Accept[valid]
		u.Accepted = fmt.Sprintf("until %s: %s", entry.Until, entry.Reason)
	}
	return u
}
