package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNoBase says that no branch is known that HEAD could depart from.
var ErrNoBase = errors.New("the repository has no branch origin/HEAD, origin/main, origin/master, main or master")

// defaultBranches are the branches that HEAD may depart from, in full: a tag may have the
// same short name.
var defaultBranches = []string{
	"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master",
}

// Base returns the commit that the work tree departs from, and its name for
// people: the merge base of HEAD and the remote's default branch or, without a
// remote, main or master. Before the first commit it is the empty tree.
func (r *Repository) Base(ctx context.Context) (rev, name string, err error) {
	head, err := r.commitOf("HEAD")
	if errors.Is(err, errNone) {
		return emptyTree.String(), "nothing, as there is no commit yet", nil
	}
	if err != nil {
		return "", "", err
	}
	for _, branch := range defaultBranches {
		tip, err := r.commitOf(branch)
		if errors.Is(err, errNone) {
			continue
		}
		if err != nil {
			return "", "", err
		}
		base, ok, err := r.objects.mergeBase(ctx, head, tip)
		if err != nil {
			return "", "", err
		}
		if !ok {
			return "", "", r.unrelated(shortened(branch))
		}
		full, _, _ := r.dir.reference(branch)
		return base.String(), fmt.Sprintf("%s, where HEAD departs from %s", base.String()[:12], shortened(full)), nil
	}
	return "", "", ErrNoBase
}

// IsAt reports whether HEAD is a commit, by its full hash.
func (r *Repository) IsAt(commit string) bool {
	head, err := r.commitOf("HEAD")
	return err == nil && head.String() == commit
}

func (r *Repository) commitOf(name string) (Hash, error) {
	h, err := r.named(name)
	if err != nil {
		return h, err
	}
	return r.objects.peel(h, "commit")
}

func (r *Repository) unrelated(branch string) error {
	if r.objects.shallow() {
		return fmt.Errorf("HEAD and %s have no common commit here (a shallow clone has not all of them): run git fetch --unshallow", branch)
	}
	return fmt.Errorf("HEAD and %s have no common commit", branch)
}

// shortened returns the name of a reference as people write it.
func shortened(full string) string {
	for _, prefix := range []string{"refs/heads/", "refs/remotes/", "refs/tags/"} {
		if short, ok := strings.CutPrefix(full, prefix); ok {
			return short
		}
	}
	return full
}

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
