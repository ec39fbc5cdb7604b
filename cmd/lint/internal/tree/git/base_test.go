package git_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git/gittest"
)

func TestBase(t *testing.T) {
	dir := gittest.New(t)
	start := gittest.Run(t, dir, "rev-parse", "HEAD")
	gittest.Run(t, dir, "checkout", "-q", "-b", "topic")
	write(t, filepath.Join(dir, "more.yaml"), "a: 1\n")
	gittest.Commit(t, dir)
	base := func() (string, string, error) { return open(t, filepath.Join(dir, "apps")).Base(t.Context()) }
	if got, name, err := base(); got != start || name != start[:12]+", where HEAD departs from main" || err != nil {
		t.Errorf("against main: %s, %s, %v, want %s", got, name, err, start)
	}
	second := gittest.Run(t, dir, "rev-parse", "HEAD")
	gittest.Run(t, dir, "update-ref", "refs/remotes/origin/trunk", second)
	gittest.Run(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	if got, name, err := base(); got != second || !strings.HasSuffix(name, " departs from origin/trunk") || err != nil {
		t.Errorf("against the remote's default branch: %s, %s, %v, want %s", got, name, err, second)
	}
	gittest.Run(t, dir, "symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
	gittest.Run(t, dir, "branch", "-m", "main", "other")
	if got, _, err := base(); !errors.Is(err, git.ErrNoBase) {
		t.Errorf("without a branch to compare with: %s, %v", got, err)
	}
	gittest.Run(t, dir, "checkout", "-q", "--orphan", "main")
	gittest.Commit(t, dir)
	gittest.Run(t, dir, "checkout", "-q", "topic")
	if _, _, err := base(); err == nil || err.Error() != "HEAD and main have no common commit" {
		t.Errorf("without a common commit: %v", err)
	}
}

// TestBaseIsGitsMergeBase compares histories with merges, and dates that lie.
func TestBaseIsGitsMergeBase(t *testing.T) {
	for seed := range 4 {
		dir := gittest.New(t)
		tree4 := gittest.Run(t, dir, "rev-parse", "HEAD^{tree}")
		commits := []string{gittest.Run(t, dir, "rev-parse", "HEAD")}
		next := seed*7919 + 1
		pick := func() string {
			next = (next*1103515245 + 12345) & 0x7fffffff
			return commits[max(0, len(commits)-1-(next>>8)%4)]
		}
		for i := range 14 {
			t.Setenv("GIT_COMMITTER_DATE", fmt.Sprintf("@%d +0000", 1700000000+i*100-(seed%2)*(next>>8)%900))
			one, two := pick(), pick()
			args := []string{"commit-tree", "-m", fmt.Sprint(i), "-p", one}
			if two != one && i%3 != 0 {
				args = append(args, "-p", two)
			}
			commits = append(commits, gittest.Run(t, dir, append(args, tree4)...))
		}
		gittest.Run(t, dir, "update-ref", "refs/heads/topic", commits[len(commits)-1])
		gittest.Run(t, dir, "update-ref", "refs/heads/main", commits[len(commits)-2])
		gittest.Run(t, dir, "symbolic-ref", "HEAD", "refs/heads/topic")
		want := strings.Fields(gittest.Run(t, dir, "merge-base", "--all", "HEAD", "main"))
		got, _, err := open(t, dir).Base(t.Context())
		if err != nil || !slices.Contains(want, got) {
			t.Errorf("seed %d: the base is %s, %v, want one of %v", seed, got, err, want)
		}
	}
}

func TestBaseOfAShallowClone(t *testing.T) {
	dir := gittest.New(t)
	gittest.Run(t, dir, "checkout", "-q", "-b", "topic")
	gittest.Commit(t, dir)
	gittest.Run(t, dir, "checkout", "-q", "main")
	write(t, filepath.Join(dir, "more.yaml"), "a: 1\n")
	gittest.Commit(t, dir)
	there := filepath.Join(t.TempDir(), "there")
	gittest.Run(t, dir, "clone", "-q", "--depth", "1", "--no-single-branch", "-b", "topic", "file://"+dir, there)
	_, _, err := open(t, there).Base(t.Context())
	if err == nil || !strings.Contains(err.Error(), "have no common commit here (a shallow clone has not all of them)") {
		t.Errorf("a shallow clone: %v", err)
	}
	gittest.Run(t, there, "fetch", "-q", "--unshallow")
	if _, _, err := open(t, there).Base(t.Context()); err != nil {
		t.Error(err)
	}
}
