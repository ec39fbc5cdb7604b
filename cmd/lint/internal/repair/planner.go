package repair

import (
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Options say which findings are repaired, and how.
type Options struct {
	// Unsafe repairs also what somebody may have wanted as it is.
	Unsafe bool
	// Central repairs many releases by one patch where nothing decides yet.
	Central bool
	// Rule returns a rule by its id.
	Rule func(id string) (rules.Rule, bool)
	// Foresee is nil if what others have made needless is not looked for.
	Foresee Foresee
	// Clusters are globs of those whose findings are repaired; all if there are
	// none. The same findings of other clusters go away with them.
	Clusters []string
	// Rules are those whose findings are repaired.
	Rules judge.Selection
	// Asked are the releases whose findings are repaired; nil for all. The others have
	// their say where they share what would be changed.
	Asked []judge.Release
	// Unsaved is what an editor holds in place of files, by absolute path. Nothing is written then.
	Unsaved map[string][]byte
}

// Foresee judges a release as if its object was edited, without looking at the tree.
type Foresee func(judge.Release, []rules.Edit) (judge.Release, error)

// needsUnsafe is the reason why a fix that may change what is meant is not made.
const needsUnsafe = "the setting may be intended; --fix=unsafe repairs it"

// planner plans changes, and remembers what has been refused.
type planner struct {
	Options
	asked    map[identity]bool // nil for all
	refused  []refusal
	tried    map[string]bool       // the attempts at central patches that were objected to
	unhelped map[string][]identity // by place, the releases that a patch there does not help
	apart    map[string]string     // by finding, why no patch for many repairs it
	failed   map[string][]string   // by finding, why the ways to repair it that came first are not taken
	first    map[string]bool       // the infos that were found before any repair
	moot     map[string]bool       // the findings that go away by repairs of others
	mixed    bool                  // whether there are several versions of helm-controller
	endings
}

// newPlanner returns a planner for what is found of releases.
func newPlanner(opts Options, now []judge.Release) planner {
	p := planner{Options: opts, tried: map[string]bool{}, unhelped: map[string][]identity{}, apart: map[string]string{}, failed: map[string][]string{}, first: map[string]bool{}, mixed: isMixed(now), endings: endings{}}
	for _, r := range now {
		for _, t := range targetsOf(r) {
			if t.finding.Severity == rules.Info {
				p.first[t.key()] = true
			}
		}
	}
	if opts.Asked != nil { // an empty list asks for nothing
		p.asked = map[identity]bool{}
		for _, r := range opts.Asked {
			p.asked[identityOf(r)] = true
		}
	}
	return p
}

// selects reports whether a finding is repaired if it can be. An info is only if its rule is
// named, and if no repair has brought it: what a repair leaves without effect stays as it was
// written.
func (p *planner) selects(t target) bool {
	named := p.Rules.Names(t.finding.Rule)
	if t.finding.Severity == rules.Info {
		return named && p.first[t.key()] && p.reaches(t)
	}
	return (named || t.finding.Fix == nil || !t.finding.Fix.OnlySelected) && p.reaches(t)
}

// reaches reports whether a finding is of a rule, a release and a cluster that were asked for.
func (p *planner) reaches(t target) bool {
	if p.asked != nil && !p.asked[t.release] || !p.Rules.Has(t.finding.Rule) {
		return false
	}
	return len(p.Clusters) == 0 || slices.ContainsFunc(p.Clusters, func(glob string) bool {
		return doublestar.MatchUnvalidated(glob, t.release.cluster)
	})
}

// wants reports whether a finding is to be repaired.
func (p *planner) wants(t target) bool {
	return t.finding.Fix != nil && (t.finding.Fix.Safe || p.Unsafe) && !p.moot[t.key()] && !p.hasRefused(t)
}

// replaces reports whether edits write over something that may have been meant.
func replaces(edits []effective.Edit) bool {
	return slices.ContainsFunc(edits, func(e effective.Edit) bool { return e.Replaces })
}

// editsOf returns the edits of files that make a fix of a release. What they correct has no
// effect: comments beside it stay as true as they are.
func editsOf(r judge.Release, fix *rules.Fix) ([]effective.Edit, error) {
	var edits []effective.Edit
	for _, set := range fix.Set {
		more, err := r.Edits(set)
		if err != nil {
			return nil, err
		}
		for _, e := range more {
			e.Replaces = e.Replaces && !fix.Corrects
			edits = append(edits, e)
		}
	}
	return edits, nil
}

// reconsider forgets what has been refused: other changes may have made it possible. It
// reports whether there was anything.
func (p *planner) reconsider() bool {
	any := len(p.refused)+len(p.tried)+len(p.failed) > 0
	p.failed = map[string][]string{}
	p.refused, p.tried, p.unhelped = nil, map[string]bool{}, map[string][]identity{}
	return any
}

// refuse takes note of why findings are not repaired. Where there is another way to repair them,
// it is tried first.
func (p *planner) refuse(reason string, targets ...target) {
	for _, t := range targets {
		why := p.failed[t.key()]
		switch {
		case p.hasRefused(t), t.others > 0 && len(why) > t.failed: // a release that is applied twice has it twice
		case t.others > 0 && len(why) == t.failed:
			p.failed[t.key()] = append(why, reason)
		default:
			p.refused = append(p.refused, refusal{target: t, reason: append(why, reason)[0]})
		}
	}
}

// attempts counts the ways to repair findings that have failed while others are left.
func (p *planner) attempts() int {
	n := 0
	for _, why := range p.failed {
		n += len(why)
	}
	return n
}

// targetsOf lists the findings of a release, each with the way in which it is repaired.
func (p *planner) targetsOf(r judge.Release) []target {
	all := targetsOf(r)
	for i, t := range all {
		if t.finding.Fix == nil {
			continue
		}
		all[i].instead = p.apart[t.key()]
		ways, why := waysTo(t, p.mixed), p.failed[t.key()]
		at := min(len(why), len(ways)-1) // what else has changed may have left fewer
		all[i].failed, all[i].others = len(why), len(ways)-1-at
		if at > 0 {
			all[i].finding.Fix, all[i].instead = &ways[at].Fix, ways[at].as+" "+why[0]
		}
	}
	return all
}

func (p *planner) hasRefused(t target) bool {
	return slices.ContainsFunc(p.refused, func(r refusal) bool { return r.is(t) })
}
