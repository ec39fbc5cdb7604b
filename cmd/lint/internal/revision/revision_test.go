package revision_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/revision"
)

// repository makes a repository with one commit that holds what git's own
// archive would leave out or change.
func repository(t *testing.T) string {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	for name, text := range map[string]string{
		"apps/shop.yaml":  "kind: HelmRelease\n",
		"apps/a b/ü.yaml": "kind: List # $Format:%H$\n",
		".gitattributes":  "apps/** export-ignore\n*.yaml export-subst\n",
		"run.sh":          "#!/bin/sh\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	if err := os.Symlink("apps/shop.yaml", filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	commit(t, dir)
	return dir
}

func commit(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "add", "--all")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "commit")
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// content lists what a folder holds, without .git.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return filepath.SkipDir
		case entry.IsDir():
			return nil
		}
		rel, _ := filepath.Rel(dir, name)
		if entry.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(name)
			found[rel] = "-> " + target
			return err
		}
		data, err := os.ReadFile(name)
		found[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestOpenGivesTheRevisionAndTouchesNothing(t *testing.T) {
	dir := repository(t)
	want := content(t, dir)
	write(t, filepath.Join(dir, "apps/shop.yaml"), "kind: Changed\n")
	write(t, filepath.Join(dir, "new/new.yaml"), "kind: New\n")
	git(t, dir, "add", "apps/shop.yaml")
	changed, status := content(t, dir), git(t, dir, "status", "--porcelain")

	// As in a hook that git runs.
	t.Setenv("GIT_DIR", filepath.Join(dir, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(dir, ".git", "index"))
	tree, err := revision.Open(t.Context(), filepath.Join(dir, "apps", "shop.yaml"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	there, err := tree.Path(dir)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "revision", content(t, there), want)
	if _, err := os.Stat(filepath.Join(there, ".git")); err != nil {
		t.Errorf("the root is not marked: %v", err)
	}
	if empty, err := tree.Path(filepath.Join(dir, "new")); err != nil || len(content(t, empty)) != 0 {
		t.Errorf("what is new has a content in the revision: %v, %v", content(t, empty), err)
	}
	if err := tree.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(there); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s stays behind", there)
	}
	same(t, "work tree", content(t, dir), changed)
	if after := git(t, dir, "status", "--porcelain"); after != status {
		t.Errorf("status is %q, was %q", after, status)
	}
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %s is %q, want %q", what, name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s has %d files, want %d", what, len(got), len(want))
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := repository(t)
	for rev, want := range map[string]string{"nope": "no revision nope", "--help": "is no revision", "HEAD:run.sh": "no revision"} {
		if _, err := revision.Open(t.Context(), dir, rev); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", rev, err, want)
		}
	}
	if _, err := revision.Open(t.Context(), t.TempDir(), "HEAD"); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("outside of a repository: %v", err)
	}
	tree, err := revision.Open(t.Context(), dir, "main")
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close() // the folder is the test's
	if _, err := tree.Path(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not in the repository") {
		t.Errorf("a path outside: %v", err)
	}
}

func TestBaseBeforeTheFirstCommit(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	base, name, err := revision.Base(t.Context(), dir)
	if err != nil || name != "nothing, as there is no commit yet" {
		t.Fatal(name, err)
	}
	tree, err := revision.Open(t.Context(), dir, base)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close() // the folder is the test's
	if there, err := tree.Path(dir); err != nil || len(content(t, there)) != 0 {
		t.Errorf("before the first commit there is %v, %v", content(t, there), err)
	}
}

func TestBase(t *testing.T) {
	dir := repository(t)
	first := git(t, dir, "rev-parse", "HEAD")
	git(t, dir, "checkout", "-q", "-b", "topic")
	write(t, filepath.Join(dir, "more.yaml"), "a: 1\n")
	commit(t, dir)
	base := func() (string, string, error) { return revision.Base(t.Context(), filepath.Join(dir, "apps")) }
	if got, name, err := base(); got != first || name != first[:12]+", where HEAD departs from main" || err != nil {
		t.Errorf("against main: %s, %s, %v, want %s", got, name, err, first)
	}
	second := git(t, dir, "rev-parse", "HEAD")
	git(t, dir, "update-ref", "refs/remotes/origin/trunk", second)
	git(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	if got, name, err := base(); got != second || !strings.HasSuffix(name, " departs from origin/trunk") || err != nil {
		t.Errorf("against the remote's default branch: %s, %s, %v, want %s", got, name, err, second)
	}
	git(t, dir, "symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
	git(t, dir, "branch", "-m", "main", "other")
	if got, _, err := base(); !errors.Is(err, revision.ErrNoBase) {
		t.Errorf("without a branch to compare with: %s, %v", got, err)
	}
}
