package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git/gittest"
)

func TestTrackedIn(t *testing.T) {
	dir := gittest.New(t)
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".gitignore")
	for _, name := range []string{"apps/forced.yaml", "apps/other.yaml", "removed.yaml"} {
		write(name)
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*.yaml\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, dir, "add", "--force", "removed.yaml")
	gittest.Run(t, dir, "commit", "-q", "-m", "one to remove")
	gittest.Run(t, dir, "rm", "-q", "--cached", "removed.yaml")
	gittest.Run(t, dir, "add", "--force", "apps/forced.yaml")

	check := func(t *testing.T, tracked *git.Tracked, want map[string]bool) {
		t.Helper()
		for name, want := range want {
			if got := tracked.Has(name); got != want {
				t.Errorf("%s is tracked: %v, want %v", name, got, want)
			}
		}
	}
	all := map[string]bool{
		"apps": true, "apps/shop.yaml": true, "apps/forced.yaml": true, "apps/other.yaml": false,
		"removed.yaml": true, "none": false,
	}
	for _, version := range []string{"2", "4"} {
		gittest.Run(t, dir, "update-index", "--index-version", version)
		check(t, git.TrackedIn(dir), all)
	}
	check(t, git.TrackedIn(filepath.Join(dir, "apps")), map[string]bool{"forced.yaml": true, "other.yaml": false})

	worktree := filepath.Join(t.TempDir(), "w")
	gittest.Run(t, dir, "worktree", "add", "-q", worktree)
	check(t, git.TrackedIn(worktree), map[string]bool{"removed.yaml": true, "apps/forced.yaml": false})

	outer := gittest.New(t)
	gittest.Run(t, outer, "submodule", "--quiet", "add", dir, "module")
	check(t, git.TrackedIn(outer), map[string]bool{"module": true, "module/removed.yaml": false})
	check(t, git.TrackedIn(filepath.Join(outer, "module")), map[string]bool{"removed.yaml": true, "apps/forced.yaml": false})
}

// Where it cannot be known what is tracked, everything may be.
func TestTrackedInUnknown(t *testing.T) {
	if git.TrackedIn(t.TempDir()) != nil || !git.TrackedIn(t.TempDir()).Has("any") {
		t.Error("outside of a repository something is known")
	}
	dir := gittest.New(t)
	index := filepath.Join(dir, ".git", "index")
	whole, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"cut off": whole[:len(whole)/2], "no index": []byte("text"), "empty": {}, "wrong sum": append(whole[:len(whole)-1:len(whole)-1], whole[len(whole)-1]^1),
	} {
		if err := os.WriteFile(index, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if git.TrackedIn(dir) != nil {
			t.Errorf("%s: something is known", name)
		}
	}
	gittest.Run(t, dir, "read-tree", "HEAD")
	gittest.Run(t, dir, "update-index", "--split-index")
	if git.TrackedIn(dir) != nil {
		t.Error("a split index is read as if it were whole")
	}
}

// Before the first commit, the index alone says what is tracked.
func TestTrackedInNew(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	if tracked := git.TrackedIn(dir); tracked == nil || tracked.Has("a.yaml") {
		t.Error("in an empty repository a file is tracked")
	}
}
