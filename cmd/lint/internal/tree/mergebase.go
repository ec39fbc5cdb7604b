package tree

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
	repository *Repository
	marks      map[hash]int
	commits    map[hash]commit
	open       []hash // oldest first
}

// mergeBase returns the newest of the best common ancestors of two commits, as
// git merge-base does; false if there is none.
func (r *Repository) mergeBase(ctx context.Context, a, b hash) (hash, bool, error) {
	s := &search{repository: r, marks: map[hash]int{}, commits: map[hash]commit{}}
	if err := cmp.Or(s.mark(a, ours), s.mark(b, theirs)); err != nil {
		return hash{}, false, err
	}
	var found []hash
	for s.unfinished() {
		if err := ctx.Err(); err != nil {
			return hash{}, false, err
		}
		h := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		marks := s.marks[h] & (ours | theirs | stale)
		if marks == ours|theirs {
			if s.marks[h]&common == 0 {
				s.marks[h] |= common
				found = append(found, h)
			}
			marks |= stale
		}
		for _, parent := range s.commits[h].parents {
			if err := s.mark(parent, marks); err != nil {
				return hash{}, false, err
			}
		}
	}
	found = slices.DeleteFunc(found, func(h hash) bool { return s.marks[h]&stale != 0 })
	if len(found) == 0 {
		return hash{}, false, nil
	}
	return slices.MaxFunc(found, func(a, b hash) int { return cmp.Compare(s.commits[a].date, s.commits[b].date) }), true, nil
}

// mark adds marks to a commit, and has it looked at if they are new.
func (s *search) mark(h hash, marks int) error {
	if s.marks[h]&marks == marks {
		return nil
	}
	c, ok := s.commits[h]
	if !ok {
		var err error
		if c, err = s.repository.commit(h); err != nil {
			return err
		}
		s.commits[h] = c
	}
	s.marks[h] |= marks
	at, _ := slices.BinarySearchFunc(s.open, c.date, func(h hash, date int64) int {
		return cmp.Compare(s.commits[h].date, date)
	})
	s.open = slices.Insert(s.open, at, h)
	return nil
}

// unfinished reports whether a commit is open that may lead to a better one.
func (s *search) unfinished() bool {
	return slices.ContainsFunc(s.open, func(h hash) bool { return s.marks[h]&stale == 0 })
}
