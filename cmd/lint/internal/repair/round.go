package repair

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair/draft"
)

// plan returns the changes of the next round for what is found, but for what has been
// refused: first those that repair several releases, for they may make others needless,
// then the worst first, and one for each release.
func (p *planner) plan(all []judge.Release, files *draft.Files) []change {
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
func (p *planner) add(to *changes, t target, files *draft.Files) error {
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
		return fmt.Errorf("the comment %q is about what would be removed; --fix=unsafe removes both", lost[0].Text)
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
			return cmp.Compare(a.targets[0].finding.Severity.Rank(), b.targets[0].finding.Severity.Rank())
		case a.broad():
			return -1
		}
		return 1
	})
	return plan
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
	for _, t := range c.targets {
		if p.apart[t.key()] == "" {
			p.apart[t.key()] = fmt.Sprintf("by itself, not by one patch of %s: %s", c.central.at.What, against[0].why)
		}
	}
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
