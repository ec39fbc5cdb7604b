package policy

import (
	"cmp"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// key identifies a release over two loads of the same tree.
type key struct {
	release.Name
	cluster, file string
	line          int
}

func keyOf(r *effective.Release) key { return key{r.ID(), r.Cluster, r.File, r.Line} }

// standing is what the base says of the releases of a change.
type standing struct {
	base  Side
	was   map[key]*effective.Release // of the releases that were there
	vague map[key]bool               // of those that may have been several: none lends its waivers
	gone  []*effective.Release       // the releases that no longer are
	tiers map[string][]release.Tier  // by cluster and by entry, where the base has releases

	causes map[report.Cause][]*effective.Comment // see commented
}

// standingOf finds for each release of a tree what it was in the base.
func standingOf(base Side, tree *effective.Tree) *standing {
	s := &standing{base: base, vague: map[key]bool{}, tiers: map[string][]release.Tier{}}
	s.was, s.gone = pairs(base.Tree.Releases, tree.Releases)
	for _, r := range base.Tree.Releases {
		for _, scope := range scopes(r) {
			s.tiers[scope] = append(s.tiers[scope], r.Tier)
		}
	}
	for _, r := range tree.Releases {
		if s.was[keyOf(r)] == nil {
			s.follow(r)
		}
	}
	return s
}

// pairs finds the releases that are in both trees: of the same cluster and name, in the
// same file if there is one.
func pairs(before, after []*effective.Release) (was map[key]*effective.Release, gone []*effective.Release) {
	was = map[key]*effective.Release{}
	taken := map[*effective.Release]bool{}
	for _, like := range []func(*effective.Release) key{
		func(r *effective.Release) key { return key{r.ID(), r.Cluster, r.File, 0} },
		func(r *effective.Release) key { return key{r.ID(), r.Cluster, "", 0} },
	} {
		free := map[key][]*effective.Release{}
		for _, r := range before {
			if !taken[r] {
				free[like(r)] = append(free[like(r)], r)
			}
		}
		for _, r := range after {
			if k := like(r); was[keyOf(r)] == nil && len(free[k]) > 0 {
				was[keyOf(r)], taken[free[k][0]], free[k] = free[k][0], true, free[k][1:]
			}
		}
	}
	return was, slices.DeleteFunc(slices.Clone(before), func(r *effective.Release) bool { return taken[r] })
}

// follow finds what a new release may have been.
func (s *standing) follow(r *effective.Release) {
	all := s.moved(r)
	if len(all) == 0 {
		return
	}
	s.was[keyOf(r)] = all[0]
	s.vague[keyOf(r)] = len(all) > 1 && (all[0].ID() != r.ID() || all[1].ID() == r.ID())
}

// moved returns the releases of the base that a new one may be under another name, those in the
// strictest tier first, and among them those of the same name: of the same name in a cluster that
// the base does not have, or from the same file or of the same name in the same cluster.
func (s *standing) moved(r *effective.Release) []*effective.Release {
	_, known := s.tiers[r.Cluster]
	out := slices.DeleteFunc(slices.Clone(s.gone), func(g *effective.Release) bool {
		return known && g.Cluster != r.Cluster || g.ID() != r.ID() && g.File != r.File && !(known && g.Name == r.Name)
	})
	other := func(g *effective.Release) int {
		if g.ID() == r.ID() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b *effective.Release) int {
		return cmp.Or(compareTiers(a.Tier, b.Tier), other(a)-other(b))
	})
	return out
}

// as returns a release of the change as the policy of the base has it.
func (s *standing) as(r *effective.Release) *effective.Release {
	if was := s.was[keyOf(r)]; was != nil {
		waivers, comments := was.Annotations(rules.WaiverAnnotation), s.comments(was)
		if s.vague[keyOf(r)] {
			waivers, comments = nil, nil
		}
		as := r.As(was.Tier, s.controller(r, was.ControllerFound()), rules.WaiverAnnotation, waivers)
		as.Commented, as.Was = comments, was
		return as
	}
	before, _ := s.base.Tree.Controller(r.Cluster)
	as := r.As(s.tier(r), s.controller(r, before), rules.WaiverAnnotation, s.waivers(r))
	as.Commented = s.comments(nil)
	return as
}

// waivers returns the annotations with waivers that the base has of a release: of one that is new to its cluster those that
// it has of that name in others, as the same file says.
func (s *standing) waivers(r *effective.Release) map[string]any {
	if was := s.was[keyOf(r)]; was != nil {
		return was.Annotations(rules.WaiverAnnotation)
	}
	out := map[string]any{}
	for key := range r.Annotations(rules.WaiverAnnotation) {
		at := release.Path{"metadata", "annotations", key}
		for _, other := range s.base.Tree.Releases {
			if value := other.Annotations(key)[key]; value != nil && other.ID() == r.ID() && other.Cluster != r.Cluster && other.Locate(at).File == r.Locate(at).File {
				out[key] = value
			}
		}
	}
	return out
}

// comments returns what finds the comments that the base has for a finding of the change: beside what
// decides the field in the release that was there, or beside the field that decides it now, if the
// release is new or had the finding before.
func (s *standing) comments(was *effective.Release) func(rules.Finding, effective.Location) []*effective.Comment {
	all := s.base.Tree.Comments
	if len(all) == 0 {
		return nil
	}
	return func(f rules.Finding, at effective.Location) []*effective.Comment {
		there := s.commented()[report.Cause{Rule: f.Rule, File: at.File, Field: at.Field()}]
		if was == nil {
			return there
		}
		out := all.Beside(f, judge.Release{Release: was}.LocateFinding(f))
		if len(there) > 0 && s.found(was, f.Rule) {
			out = append(out, there...)
		}
		return out
	}
}

// found reports whether a release of the base has findings of a rule.
func (s *standing) found(was *effective.Release, rule string) bool {
	return slices.ContainsFunc(s.base.Releases, func(r judge.Release) bool {
		return r.Release == was && slices.ContainsFunc(r.Then().Verdict.Findings, func(f rules.Finding) bool { return f.Rule == rule })
	})
}

// commented returns the comments that waive findings of the base, by what makes these.
func (s *standing) commented() map[report.Cause][]*effective.Comment {
	if s.causes == nil {
		s.causes = map[report.Cause][]*effective.Comment{}
		for _, r := range s.base.Releases {
			for _, f := range r.Then().Verdict.Findings {
				at := r.LocateFinding(f)
				by := report.Cause{Rule: f.Rule, File: at.File, Field: at.Field()}
				if s.causes[by] == nil {
					s.causes[by] = s.base.Tree.Comments.Beside(f, at)
				}
			}
		}
	}
	return s.causes
}

// controller returns the controller of a release of the change under the configuration of
// the base. What the change installs is what really runs, and no policy. What it no longer
// says stays as the base says it: not to know the controller excuses nothing.
func (s *standing) controller(r *effective.Release, before release.Controller) release.Controller {
	found := r.ControllerFound()
	switch {
	case found.Version == "" && len(found.Gates) == 0:
		found = before
	case found.Version == "":
		found.Version, found.Assumed = before.Version, before.Assumed
	}
	return r.ControllerBy(s.base.Config.Config, s.base.Config.Dir(), found)
}

// tier returns the tier of a release that was not there. In a place that the base has it
// is one that the base has there; of any other the base says nothing, and the release
// speaks for itself.
func (s *standing) tier(r *effective.Release) release.Tier {
	config, dir := s.base.Config.Config, s.base.Config.Dir()
	places := slices.DeleteFunc(scopes(r), func(scope string) bool { return s.tiers[scope] == nil })
	if len(places) == 0 {
		return r.TierBy(config, dir)
	}
	tier, decided := r.TierUnmarked(config, dir, s.base.Tree.Namespace(r.Cluster, r.Namespace))
	there := s.tiers[places[0]]
	if decided || slices.Contains(there, tier) {
		return tier
	}
	return slices.MinFunc(there, compareTiers)
}

// scopes are the places that a release is in, the nearest first: what applies it within
// its cluster, then the cluster.
func scopes(r *effective.Release) []string { return append(slices.Clone(r.Entries), r.Cluster) }

// compareTiers orders tiers, the strictest first.
func compareTiers(a, b release.Tier) int {
	return slices.Index(release.Tiers, a) - slices.Index(release.Tiers, b)
}
