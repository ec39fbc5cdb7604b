package git

import (
	"context"
	"errors"
	"fmt"
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
