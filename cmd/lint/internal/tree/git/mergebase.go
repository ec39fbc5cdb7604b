package git

import (
	"cmp"
	"context"
	"slices"
)

// Marks of a commit while a merge base is looked for.
const (
	ours   = 1 << iota // an ancestor of the one commit
	theirs             // an ancestor of the other
	stale              // an ancestor of a common one
	common             // a candidate
)

// search is the walk from two commits to those that they have in common, in
// the order of their dates.
type search struct {
	objects *store
	marks   map[Hash]int
	commits map[Hash]commit
	open    []Hash // oldest first
}

// mergeBase returns the newest of the best common ancestors of two commits, as
// git merge-base does; false if there is none.
func (s *store) mergeBase(ctx context.Context, a, b Hash) (Hash, bool, error) {
	w := &search{objects: s, marks: map[Hash]int{}, commits: map[Hash]commit{}}
	if err := cmp.Or(w.mark(a, ours), w.mark(b, theirs)); err != nil {
		return Hash{}, false, err
	}
	var found []Hash
	for w.unfinished() {
		if err := ctx.Err(); err != nil {
			return Hash{}, false, err
		}
		h := w.open[len(w.open)-1]
		w.open = w.open[:len(w.open)-1]
		marks := w.marks[h] & (ours | theirs | stale)
		if marks == ours|theirs {
			if w.marks[h]&common == 0 {
				w.marks[h] |= common
				found = append(found, h)
			}
			marks |= stale
		}
		for _, parent := range w.commits[h].parents {
			if err := w.mark(parent, marks); err != nil {
				return Hash{}, false, err
			}
		}
	}
	found = slices.DeleteFunc(found, func(h Hash) bool { return w.marks[h]&stale != 0 })
	if len(found) == 0 {
		return Hash{}, false, nil
	}
	return slices.MaxFunc(found, func(a, b Hash) int { return cmp.Compare(w.commits[a].date, w.commits[b].date) }), true, nil
}

// mark adds marks to a commit, and has it looked at if they are new.
func (s *search) mark(h Hash, marks int) error {
	if s.marks[h]&marks == marks {
		return nil
	}
	c, ok := s.commits[h]
	if !ok {
		var err error
		if c, err = s.objects.commit(h); err != nil {
			return err
		}
		s.commits[h] = c
	}
	s.marks[h] |= marks
	at, _ := slices.BinarySearchFunc(s.open, c.date, func(h Hash, date int64) int {
		return cmp.Compare(s.commits[h].date, date)
	})
	s.open = slices.Insert(s.open, at, h)
	return nil
}

// unfinished reports whether a commit is open that may lead to a better one.
func (s *search) unfinished() bool {
	return slices.ContainsFunc(s.open, func(h Hash) bool { return s.marks[h]&stale == 0 })
}
