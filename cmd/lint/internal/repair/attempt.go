package repair

import (
	"cmp"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair/draft"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// maxRounds bounds the changes that only other changes make possible, and the
// attempts at one in several places.
const maxRounds = 64

// Look judges the tree with other content of some files, by their names.
type Look func(changes map[string][]byte) (judge.State, error)

// attempt is one way to repair a tree: what has been made, what has been refused, and the
// state after it.
type attempt struct {
	planner planner
	state   judge.State
	files   *draft.Files
	made    []made
	look    Look
}

// run makes all changes that nobody objects to, and then tries again what was refused,
// until that makes no difference: a second run finds nothing to do.
func (a *attempt) run() error {
	for range maxRounds {
		before := len(a.made)
		if err := a.exhaust(); err != nil || len(a.made) == before {
			return err
		}
		if !a.planner.reconsider() {
			return nil
		}
	}
	return nil
}

// exhaust makes changes until all that are left have been refused.
func (a *attempt) exhaust() error {
	for range maxRounds {
		failed := a.planner.attempts()
		plan := a.planner.plan(a.state.Releases, a.files)
		if len(plan) == 0 && a.planner.attempts() == failed {
			return nil
		}
		done, err := a.applyFewer(plan)
		if !done && err == nil {
			err = a.apply(plan)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// applyFewer makes a plan without what repeats in it, and reports whether nobody objects.
func (a *attempt) applyFewer(plan []change) (bool, error) {
	fewer := withoutRepeats(plan)
	if len(fewer) == len(plan) {
		return false, nil
	}
	files, next, against, err := a.try(fewer)
	if err != nil || len(against) > 0 {
		return false, err
	}
	return true, a.accept(fewer, files, next)
}

// apply makes all changes of a plan that nobody objects to.
//
// It tries the whole plan at once, for looking at the tree is what takes long. A change
// that alone can be the cause of an objection is given up. Where that is not clear, it
// tries the plan in two parts: first the changes that have nothing to do with the
// objections, then the rest, or two halves. Thus a change that is objected to ends up
// alone. The second part is planned anew, since the first has moved what its edits
// point at.
func (a *attempt) apply(plan []change) error {
	if len(plan) == 0 {
		return nil
	}
	files, next, against, err := a.try(plan)
	switch {
	case err != nil:
		return err
	case len(against) == 0:
		return a.accept(plan, files, next)
	case len(plan) == 1:
		a.planner.giveUp(plan[0], against)
		return nil
	}
	suspected := suspects(plan, a.state.Releases, against)
	if rest := a.withoutGuilty(plan, suspected, against); len(rest) < len(plan) {
		return a.apply(rest)
	}
	rest, first := split(plan, suspected)
	if len(first) == 0 || len(rest) == 0 {
		half := len(plan) / 2
		first, rest = plan[:half], plan[half:]
	}
	if err := a.apply(first); err != nil {
		return err
	}
	return a.apply(a.again(rest))
}

// withoutGuilty gives up the changes that alone are suspected of an objection, and returns
// the others.
func (a *attempt) withoutGuilty(plan []change, suspected [][]int, against []objection) []change {
	guilty := map[int][]objection{}
	for i, changes := range suspected {
		if len(changes) == 1 {
			guilty[changes[0]] = append(guilty[changes[0]], against[i])
		}
	}
	var rest []change
	for i, c := range plan {
		if objections := guilty[i]; len(objections) > 0 {
			a.planner.giveUp(c, objections)
		} else {
			rest = append(rest, c)
		}
	}
	return rest
}

// try makes the changes of a plan in a copy of the files, looks at the tree with
// them, and returns the objections.
func (a *attempt) try(plan []change) (*draft.Files, judge.State, []objection, error) {
	var edits []effective.Edit
	for _, c := range plan {
		edits = append(edits, c.edits...)
	}
	files, err := a.files.With(edits)
	if err != nil {
		return nil, judge.State{}, []objection{{why: err.Error()}}, nil
	}
	next, err := a.look(files.Contents())
	if err != nil {
		return nil, judge.State{}, nil, err
	}
	return files, next, newReview(a.state, next, plan, a.planner.Rule, a.planner.endings).objections(), nil
}

// accept takes over the changes of a plan, but for the edits that others make needless.
func (a *attempt) accept(plan []change, files *draft.Files, next judge.State) error {
	if rest, idle := withoutIdle(plan, next); idle {
		fewer, after, against, err := a.try(rest)
		if err != nil {
			return err
		}
		if len(against) == 0 {
			plan, files, next = rest, fewer, after
		}
	}
	a.creditAll(plan, next)
	for _, c := range plan {
		a.made = append(a.made, made{c, c.others(a.state, next)})
	}
	a.files, a.state = files, next
	return nil
}

// creditAll adds to changes the findings that go away although other edits were offered for them.
func (a *attempt) creditAll(plan []change, next judge.State) {
	is := byIdentity(next.Releases)
	for _, r := range a.state.Releases {
		after := is[identityOf(r)]
		if len(after) == 0 {
			continue
		}
		for _, t := range repairedIn(r, after[0]) {
			if t.finding.Fix == nil || !a.planner.selects(t) || slices.ContainsFunc(plan, func(c change) bool { return slices.ContainsFunc(c.targets, t.is) }) {
				continue
			}
			objects := deciding([]judge.Release{r})
			if at := slices.IndexFunc(plan, func(c change) bool { return c.concerns(t.release, []judge.Release{r}, objects) }); at >= 0 {
				plan[at].targets = append(slices.Clip(plan[at].targets), t)
			}
		}
	}
}

// again plans changes anew after others have been made.
func (a *attempt) again(plan []change) []change {
	return slices.DeleteFunc(a.planner.plan(a.state.Releases, a.files), func(c change) bool {
		return !slices.ContainsFunc(plan, func(o change) bool { return o.targets[0].is(c.targets[0]) })
	})
}

// behind reports whether a finding is left that was to be repaired.
func (a *attempt) behind() bool {
	all := a.planner
	all.refused = nil
	return slices.ContainsFunc(a.state.Releases, func(r judge.Release) bool {
		return slices.ContainsFunc(targetsOf(r), func(t target) bool { return all.selects(t) && all.wants(t) })
	})
}

// compareFindings compares two states by their findings, the worst first. It is negative
// if the first state has fewer.
func compareFindings(a, b judge.State) int {
	x, y := countFindings(a), countFindings(b)
	for _, severity := range rules.Severities {
		if c := cmp.Compare(x[severity], y[severity]); c != 0 {
			return c
		}
	}
	return 0
}

func countFindings(s judge.State) map[rules.Severity]int {
	out := map[rules.Severity]int{}
	for _, r := range s.Releases {
		for _, t := range targetsOf(r) {
			out[t.finding.Severity]++
		}
	}
	return out
}
