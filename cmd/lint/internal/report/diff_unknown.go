package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Unjudged says of a finding what it was if its release could not be judged
// before.
const Unjudged = "undetermined"

// gaps are what one state of a tree does not tell, and the other does.
type gaps struct {
	all      []release.Undetermined
	only     []release.Undetermined             // those that the other state does not have
	problems []Problem                          // those that the other state does not have
	here     map[string]map[release.Name]Judged // the clusters that this state has
	there    map[string]map[release.Name]Judged // and those of the other state
	// unbuilt are the builds that fail in this state, and before the same of the other state.
	unbuilt, before []Unbuilt
}

// gapsOf returns the gaps of a state, compared with the other one.
func gapsOf(s, other Side) gaps {
	g := gaps{all: s.Undetermined, only: newlyUndetermined(other.Undetermined, s.Undetermined), here: s.clusters(), there: other.clusters(), unbuilt: s.Unbuilt, before: other.Unbuilt}
	for _, p := range s.Problems {
		if !slices.ContainsFunc(other.Problems, func(o Problem) bool { return o.File == p.File && o.Message == p.Message }) {
			g.problems = append(g.problems, p)
		}
	}
	return g
}

// hides returns the gap that may hide a release of the other state; nil if it is
// really not there. Its tier is that of the release. One that nothing accepts
// comes first.
func (g gaps) hides(j *Judged) *release.Undetermined {
	var found *release.Undetermined
	note := func(u release.Undetermined) {
		if found == nil || found.Accepted != "" && u.Accepted == "" {
			u.Release, u.Cluster, u.Tier = j.Name.String(), j.Cluster, j.Tier
			found = &u
		}
	}
	var bare *release.Undetermined // of what fails in no cluster, or only in others
	for _, u := range g.all {
		if u.Release != j.Name.String() || u.Cluster != j.Cluster && u.Cluster != "" {
			continue
		}
		anywhere := rootOf(u, g.all)
		u.Cluster = j.Cluster
		switch root := rootOf(u, g.all); {
		case root != nil || anywhere == nil && !strings.HasSuffix(u.Reason, notBuilt):
			note(*cmp.Or(root, &u))
		case anywhere == nil || g.mayFail(u, j):
			bare = &u
		}
	}
	for _, b := range g.unbuilt {
		if b.Why.Cluster == j.Cluster && b.Files[j.File] && !g.hadBefore(b, j) {
			note(b.Why)
		}
	}
	for _, u := range g.only {
		if u.Release == "" && g.mayHold(u, j) {
			note(u)
		}
	}
	for _, p := range g.problems {
		if p.File == j.File || strings.HasPrefix(j.File, p.File+"/") {
			note(release.Undetermined{File: p.File, Line: p.Line, Reason: p.Head() + ": " + p.Message})
		}
	}
	if found == nil && bare != nil {
		note(*bare)
	}
	return found
}

// limits reports whether less is known of the cluster of a release in this state than in the other.
func (g gaps) limits(j *Judged) bool {
	return j.Cluster != "" && slices.ContainsFunc(g.only, func(u release.Undetermined) bool {
		return u.Release == "" && u.Cluster == j.Cluster && !u.Shown
	})
}

// hid reports whether what is undetermined in the other state may have been behind a build that
// fails only in this one, or a file that cannot be read only in this one.
func (g gaps) hid(u release.Undetermined) bool {
	return len(g.problems) > 0 || slices.ContainsFunc(g.only, func(o release.Undetermined) bool {
		return o.Cluster == u.Cluster && strings.Contains(o.Reason, notBuilt)
	})
}

// hadBefore reports whether a build fails in both states and reads the file of a release in both.
func (g gaps) hadBefore(b Unbuilt, j *Judged) bool {
	return slices.ContainsFunc(g.before, func(o Unbuilt) bool {
		return o.Name == b.Name && o.Why.Cluster == b.Why.Cluster && o.Files[j.File]
	})
}

// mayHold reports whether a release of the other state may be in a place that
// could not be judged: of its cluster or, where that is gone, of one that the other
// state does not have, or in its own file.
func (g gaps) mayHold(u release.Undetermined, j *Judged) bool {
	return !u.Shown && (u.File == j.File || u.Cluster != "" && (u.Cluster == j.Cluster || g.replaces(u.Cluster, j)))
}

// mayFail reports whether what a release of the other state is undetermined for may be of its cluster: there is a build that
// fails in it, or that reason in the hub of that cluster or, where that is gone, in one that may be the same.
func (g gaps) mayFail(of release.Undetermined, j *Judged) bool {
	return slices.ContainsFunc(g.all, func(u release.Undetermined) bool {
		is := strings.HasPrefix(u.Reason+": ", of.Reason+": ")
		hub := u.Cluster != "" && strings.HasPrefix(j.Cluster, u.Cluster+"/")
		return u.Release == "" && (u.Cluster == j.Cluster && strings.Contains(u.Reason, notBuilt) || is && (hub || g.replaces(u.Cluster, j)))
	})
}

// replaces reports whether a cluster that only this state has may be that of a release, which is gone.
func (g gaps) replaces(cluster string, j *Judged) bool {
	return g.here[j.Cluster] == nil && g.there[cluster] == nil
}

// OrAccept ends a sentence on how a change passes that makes something undetermined or unapplied.
const OrAccept = ", or accept it in spec.undetermined.accept, in the base or here with --allow-policy-change"

// Undecided says what fails the run, and how to pass; "" if nothing does. It is what is undetermined only since the
// change in production and, in a strict run, in any tier, and what no cluster applies any more.
func (d Diff) Undecided(strict bool) string {
	var why []string
	unknown, left := d.Unaccepted(), open(d.Unapplied)
	if production := slices.ContainsFunc(unknown, mayBeProduction); production || strict && len(unknown) > 0 {
		text := "this change makes undetermined what was not: let it be known as the report says" + OrAccept
		if !production {
			text += "; without strict only production counts"
		}
		why = append(why, text)
	}
	if strict && len(left) > 0 {
		why = append(why, isOrAre(left)+" not applied by any cluster since this change: have a cluster apply it, remove its files"+OrAccept+"; without strict it passes")
	}
	return strings.Join(why, "; ")
}

// Unaccepted lists what is undetermined only since the change and nothing accepts,
// the releases that were judged before among them.
func (d Diff) Unaccepted() []release.Undetermined {
	return slices.DeleteFunc(d.undetermined(), func(u release.Undetermined) bool { return u.Accepted != "" })
}

// undecided counts the same for people: each release and each place once.
func (d Diff) undecided() int {
	n := undecided(d.unshown())
	for _, c := range d.Changes {
		if c.Unknown != nil && c.Unknown.Accepted == "" {
			n++
		}
	}
	return cmp.Or(n, len(d.Unaccepted()))
}

// undetermined lists what is undetermined only since the change, the releases
// that were judged before among them.
func (d Diff) undetermined() []release.Undetermined {
	out := d.unlisted()
	for _, c := range d.Changes {
		if c.Unknown != nil {
			out = append(out, *c.Unknown)
		}
	}
	return out
}

// unbuiltNow reports whether what no cluster seems to apply is of a release that was judged before, in a cluster of which
// a build fails.
func (d Diff) unbuiltNow(u release.Undetermined, unbuilt []Unbuilt) bool {
	return u.Release != "" && slices.ContainsFunc(d.Changes, func(c Change) bool {
		fails := func(b Unbuilt) bool { return b.Why.Cluster == c.Cluster }
		return c.Unknown != nil && c.Unknown.Release == u.Release && slices.ContainsFunc(unbuilt, fails)
	})
}

// hiding lists what is undetermined only since the change, each place once with the releases that were judged before: GitHub
// has room for ten annotations.
func (d Diff) hiding() []release.Undetermined {
	var out []release.Undetermined
	releases := map[release.Undetermined][]string{}
	for _, c := range d.Changes {
		if c.Unknown == nil {
			continue
		}
		at := *c.Unknown
		if at.Release = ""; releases[at] == nil {
			out = append(out, at)
		}
		releases[at] = append(releases[at], c.Unknown.Release)
	}
	for i, at := range out {
		out[i].Reason += "; not judged: " + words.First(releases[at], some, "release")
	}
	return append(out, d.unshown()...)
}

// unlisted returns what is undetermined since the change, without the releases that are listed as changed.
func (d Diff) unlisted() []release.Undetermined {
	listed := map[string]bool{}
	for _, c := range d.Changes {
		if c.Unknown != nil {
			listed[c.Unknown.Release+"\n"+c.Cluster], listed[c.Unknown.Release+"\n"] = true, true
		}
	}
	return slices.DeleteFunc(slices.Clone(d.Undetermined), func(u release.Undetermined) bool {
		return u.Release != "" && u.Rules == "" && listed[u.Release+"\n"+u.Cluster]
	})
}

// unshown returns what is unlisted for a reason that no changed release of its cluster has, and is of no build that
// such a release names.
func (d Diff) unshown() []release.Undetermined {
	return slices.DeleteFunc(d.unlisted(), func(u release.Undetermined) bool {
		return slices.ContainsFunc(d.Changes, func(c Change) bool {
			return c.Unknown != nil && (c.Unknown.Reason == u.Reason && c.Cluster == u.Cluster ||
				u.Release != "" && (u.Cluster == "" || u.Cluster == c.Cluster) && strings.HasPrefix(c.Unknown.Reason, u.Reason+": "))
		})
	})
}

// lapsed reports whether a release was judged before and is not now.
func (p pair) lapsed() bool {
	known := p.before != nil && p.before.Class != rules.ClassUnknown
	return known && (p.after == nil || p.after.Class == rules.ClassUnknown)
}

// begun reports whether a release is judged now and was not before.
func (p pair) begun() bool {
	known := p.after != nil && p.after.Class != rules.ClassUnknown
	return known && (p.before == nil || p.before.Class == rules.ClassUnknown)
}
