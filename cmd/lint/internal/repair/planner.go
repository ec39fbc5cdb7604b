package repair

import (
	"cmp"
	"errors"
	"fmt"
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
	// Foresee judges a release as if its object was edited, without looking at the tree; nil if
	// what others have made needless is not looked for.
	Foresee func(judge.Release, []rules.Edit) (judge.Release, error)
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

// planner plans changes, and remembers what has been refused.
type planner struct {
	Options
	asked    map[identity]bool // nil for all
	refused  []refusal
	tried    map[string]bool       // the attempts at central patches that were objected to
	unhelped map[string][]identity // by place, the releases that a patch there does not help
	failed   map[string][]string   // by finding, why the ways to repair it that came first are not taken
	first    map[string]bool       // the infos that were found before any repair
	moot     map[string]bool       // the findings that go away by repairs of others
	mixed    bool                  // whether there are several versions of helm-controller
}

// newPlanner returns a planner for what is found of releases.
func newPlanner(opts Options, now []judge.Release) planner {
	p := planner{Options: opts, tried: map[string]bool{}, unhelped: map[string][]identity{}, failed: map[string][]string{}, first: map[string]bool{}, mixed: isMixed(now)}
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

// plan returns the changes of the next round for what is found, but for what has been
// refused: first those that repair several releases, for they may make others needless,
// then the worst first, and one for each release.
func (p *planner) plan(all []judge.Release, files *Files) []change {
	central, planned := p.centralChanges(all, files)
	plan := changes{all: central, same: map[string]int{}}
	for _, r := range all {
		for _, t := range p.targetsOf(r) {
			if !p.wants(t) || planned(t) {
				continue
			}
			if err := p.add(&plan, t, files); err != nil {
				p.refuse(err.Error(), t)
			}
		}
	}
	return p.compatible(p.withMajority(p.sorted(plan.all), all))
}

// changes are those of a plan; equal edits are one change.
type changes struct {
	all  []change
	same map[string]int // by edits
}

// add translates the fix of a finding into edits of files and adds them to changes, if they
// can be made alone. A comment beside what is removed says that somebody meant it.
func (p *planner) add(to *changes, t target, files *Files) error {
	edits, err := editsOf(t.of, t.finding.Fix)
	if err != nil {
		return err
	}
	key := fmt.Sprint(edits)
	if at, ok := to.same[key]; ok {
		to.all[at].targets = append(to.all[at].targets, t)
		return nil
	}
	if len(edits) == 0 {
		return errors.New("nothing is written that could be changed")
	}
	if replaces(edits) && !p.Unsafe {
		return errors.New(needsUnsafe)
	}
	next, err := files.With(edits)
	if err != nil {
		return err
	}
	if lost := files.Lost(next); len(lost) > 0 && !p.Unsafe {
		return fmt.Errorf("the comment %q is about what would be removed; --fix=unsafe removes both", lost[0].text)
	}
	to.same[key] = len(to.all)
	to.all = append(to.all, change{edits: edits, targets: []target{t}})
	return nil
}

// sorted returns the changes that are asked for, in the order of [planner.plan].
func (p *planner) sorted(plan []change) []change {
	plan = slices.DeleteFunc(plan, func(c change) bool { return !slices.ContainsFunc(c.targets, p.selects) })
	slices.SortStableFunc(plan, func(a, b change) int {
		switch {
		case a.broad() == b.broad():
			return cmp.Compare(rank(a.targets[0].finding.Severity), rank(b.targets[0].finding.Severity))
		case a.broad():
			return -1
		}
		return 1
	})
	return plan
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

// rank is smaller for what is worse.
func rank(s rules.Severity) int { return slices.Index(rules.Severities, s) }

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

// compatible leaves out the changes that are not made together with others: until the
// next round if one is for the same release, a patch for many, or for something milder, for
// good if two releases want different things of one place as much.
func (p *planner) compatible(plan []change) []change {
	var kept []change
	for _, c := range plan {
		waits := false
		kept = slices.DeleteFunc(kept, func(other change) bool {
			place := clash(other, c)
			switch {
			case sameRelease(other, c), place != "" && (other.central != nil || c.central != nil || other.rank() < c.rank()):
				waits = true
			case place != "" && other.rank() > c.rank():
				return true
			case place != "":
				p.refuse(fmt.Sprintf("%s wants another value of %s", c.targets[0].title, place), other.targets...)
				p.refuse(fmt.Sprintf("%s wants another value of %s", other.targets[0].title, place), c.targets...)
			}
			return false
		})
		if !waits {
			kept = append(kept, c)
		}
	}
	return slices.DeleteFunc(kept, func(c change) bool { return p.hasRefused(c.targets[0]) })
}

// giveUp takes note that a change was objected to. Its findings are refused; but
// those of a central patch are tried otherwise: without the releases that it does
// not help, or whose names others share that object, in another place, or in each file.
func (p *planner) giveUp(c change, against []objection) {
	if c.central == nil {
		p.refuse(against[0].why, c.targets...)
		return
	}
	p.tried[c.central.key] = true
	meant := func(id identity) bool {
		return slices.ContainsFunc(c.targets, func(t target) bool { return t.release == id })
	}
	for _, t := range c.targets {
		if slices.ContainsFunc(against, func(o objection) bool {
			return o.by == t.release || !meant(o.by) && o.by.name.Name == t.release.name.Name
		}) {
			p.unhelped[c.central.place()] = append(p.unhelped[c.central.place()], t.release)
		}
	}
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
		case p.hasRefused(t):
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
