package repair

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
)

// maxRounds bounds the changes that only other changes make possible, and the
// attempts at one in several places.
const maxRounds = 64

// Look judges the tree with other content of some files, by their names.
type Look func(changes map[string][]byte) (judge.State, error)

// Repairer repairs a tree, first in memory.
type Repairer struct {
	planner planner
	before  []judge.Release // as they were read
	state   judge.State     // after the changes that have been made
	files   *Files
	made    []made
	look    Look

	disk    sync.Mutex // held while files are written
	written bool
}

// New returns a Repairer of a state that was read from paths. Only files below
// these are changed.
func New(now judge.State, paths []string, opts Options, look Look) (*Repairer, error) {
	files, err := Open(paths)
	if err != nil {
		return nil, err
	}
	return &Repairer{planner: newPlanner(opts), before: now.Releases, state: now, files: files, look: look}, nil
}

// Run makes, in memory, every change that nobody objects to.
func (r *Repairer) Run() error {
	for range maxRounds {
		plan := r.planner.plan(r.state.Releases, r.files)
		if len(plan) == 0 {
			return nil
		}
		if err := r.apply(plan); err != nil {
			return err
		}
	}
	return nil
}

// apply makes all changes of a plan that nobody objects to.
//
// It tries the whole plan at once, for looking at the tree is what takes long. If
// there are objections, it tries the plan in two parts: first the changes that
// have nothing to do with the objections, then the rest. Where that does not
// separate them, each part is one half. Thus a change that is objected to ends up
// alone, and is given up. The second part is planned anew, since the first has
// moved what its edits point at.
func (r *Repairer) apply(plan []change) error {
	if len(plan) == 0 {
		return nil
	}
	files, next, against, err := r.try(plan)
	switch {
	case err != nil:
		return err
	case len(against) == 0:
		r.accept(plan, files, next)
		return nil
	case len(plan) == 1:
		r.planner.giveUp(plan[0], against)
		return nil
	}
	rest, first := splitByObjection(plan, r.state.Releases, against)
	if len(first) == 0 || len(rest) == 0 {
		half := len(plan) / 2
		first, rest = plan[:half], plan[half:]
	}
	if err := r.apply(first); err != nil {
		return err
	}
	return r.apply(r.again(rest))
}

// try makes the changes of a plan in a copy of the files, looks at the tree with
// them, and returns the objections.
func (r *Repairer) try(plan []change) (*Files, judge.State, []objection, error) {
	var edits []flux.Edit
	for _, c := range plan {
		edits = append(edits, c.edits...)
	}
	files, err := r.files.With(edits)
	if err != nil {
		return nil, judge.State{}, []objection{{why: err.Error()}}, nil
	}
	next, err := r.look(files.Contents())
	if err != nil {
		return nil, judge.State{}, nil, err
	}
	return files, next, newReview(r.state, next, plan).objections(), nil
}

// accept takes over the changes of a plan.
func (r *Repairer) accept(plan []change, files *Files, next judge.State) {
	for _, c := range plan {
		r.made = append(r.made, made{c, c.others(r.state, next)})
	}
	r.files, r.state = files, next
}

// again plans changes anew after others have been made.
func (r *Repairer) again(plan []change) []change {
	return slices.DeleteFunc(r.planner.plan(r.state.Releases, r.files), func(c change) bool {
		return !slices.ContainsFunc(plan, func(o change) bool { return o.targets[0].is(c.targets[0]) })
	})
}

// Diff returns the changes as a unified diff, and the files of which it does not
// show all.
func (r *Repairer) Diff() (patch []byte, withheld []string) { return r.files.Diff() }

// Write writes the changed files and reads the tree again: what has been repaired
// must be gone there too. If not, the files are put back.
func (r *Repairer) Write(read func() (judge.State, error)) (judge.State, error) {
	if err := r.write(); err != nil {
		return judge.State{}, err
	}
	now, err := read()
	if err == nil {
		err = r.gone(now)
	}
	if err != nil {
		return judge.State{}, errors.Join(fmt.Errorf("the repairs are taken back: %w", err), r.files.Restore())
	}
	r.state = now
	return now, nil
}

func (r *Repairer) write() error {
	r.disk.Lock()
	defer r.disk.Unlock()
	err := r.files.Write()
	r.written = err == nil
	return err
}

// Undo puts back what Write has replaced, from another goroutine when the process must
// end. Nothing is written after it.
func (r *Repairer) Undo() {
	r.disk.Lock() // and never unlocked
	if r.written {
		_ = r.files.Restore() // nobody is there to hear of it
	}
}

// gone fails if a finding that has been repaired is found.
func (r *Repairer) gone(now judge.State) error {
	for _, release := range now.Releases {
		for _, t := range targetsOf(release) {
			if slices.ContainsFunc(r.made, func(m made) bool { return slices.ContainsFunc(m.targets, t.is) }) {
				return fmt.Errorf("%s is found after them too", t)
			}
		}
	}
	return nil
}
