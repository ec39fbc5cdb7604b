package revision

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// ErrNoBase tells that nothing says what a change is based on.
var ErrNoBase = errors.New("the repository has no branch origin/HEAD, origin/main, origin/master, main or master")

// Base gives the commit that the work tree at path departs from, and its name
// for people: the merge base of HEAD and the remote's default branch or, without
// a remote, main or master. Before the first commit it is the empty tree.
func Base(ctx context.Context, path string) (rev, name string, err error) {
	dir := folder(path)
	if _, err := git(ctx, dir, "rev-parse", "--git-dir"); err != nil {
		return "", "", err
	}
	if _, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		rev, err := git(ctx, dir, "hash-object", "-t", "tree", os.DevNull)
		return rev, "nothing, as there is no commit yet", err
	}
	for _, branch := range []string{"origin/HEAD", "origin/main", "origin/master", "main", "master"} {
		if _, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", branch+"^{commit}"); err != nil {
			continue
		}
		rev, err := git(ctx, dir, "merge-base", "HEAD", branch)
		if err != nil {
			return "", "", fmt.Errorf("HEAD and %s have no common commit here (a shallow clone has not all of them): %w", branch, err)
		}
		if short, err := git(ctx, dir, "rev-parse", "--abbrev-ref", branch); err == nil && short != "" {
			branch = short // what origin/HEAD stands for
		}
		return rev, fmt.Sprintf("%s, where HEAD departs from %s", rev[:min(12, len(rev))], branch), nil
	}
	return "", "", ErrNoBase
}
