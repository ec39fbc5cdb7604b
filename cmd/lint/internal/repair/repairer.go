package repair

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair/draft"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// Repairer repairs a tree, first in memory.
type Repairer struct {
	attempt
	before attempt // nothing is changed yet

	disk    sync.Mutex // held while files are written
	written bool
}

// New returns a Repairer of a state that was read from paths. Only files below
// these are changed.
func New(now judge.State, paths []string, opts Options, look Look) (*Repairer, error) {
	files, err := draft.Open(paths, opts.Unsaved)
	if err != nil {
		return nil, err
	}
	start := attempt{planner: newPlanner(opts, now.Releases), state: now, files: files, look: look}
	return &Repairer{attempt: start, before: start}, nil
}

// Run makes, in memory, every change that nobody objects to. Where patches for many leave
// something behind, it also tries without them, and takes what leaves less.
func (r *Repairer) Run() error {
	if err := r.run(); err != nil {
		return err
	}
	isCentral := func(m made) bool { return m.central != nil }
	if slices.ContainsFunc(r.made, isCentral) && r.behind() {
		single := r.anew()
		single.planner.Central = false
		if err := single.run(); err != nil {
			return err
		}
		if compareFindings(single.state, r.state) < 0 {
			single.sayApart(r.made)
			r.attempt = single
		}
	}
	return r.dropMoot()
}

// sayApart says of what patches for many would have repaired why each finding is repaired by itself.
func (a *attempt) sayApart(patched []made) {
	for _, m := range a.made {
		for i, t := range m.targets {
			for _, o := range patched {
				if o.central != nil && slices.ContainsFunc(o.targets, t.is) {
					m.targets[i].instead = fmt.Sprintf("by itself, not by one patch of %s: beside that more would be left", o.central.at.What)
				}
			}
		}
	}
}

// anew returns an attempt that has made nothing yet.
func (r *Repairer) anew() attempt {
	a := r.before
	a.planner = newPlanner(r.planner.Options, r.before.state.Releases)
	return a
}

// lostComments lists the comments that the repairs take away.
func (r *Repairer) lostComments() []report.LostComment {
	var out []report.LostComment
	for _, c := range r.before.files.Lost(r.files) {
		out = append(out, report.LostComment{File: c.File, Line: c.Line, Text: c.Text})
	}
	return out
}

// Diff returns the changes as a patch for git.
func (r *Repairer) Diff() []byte { return r.files.Diff() }

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
