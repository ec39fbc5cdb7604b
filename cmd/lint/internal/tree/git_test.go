package tree_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// repository makes a repository with one commit that holds what git's own
// archive would leave out or change.
func repository(t *testing.T, init ...string) string {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	dir := resolved(t, t.TempDir())
	for name, text := range map[string]string{
		"apps/shop.yaml":    "kind: HelmRelease\n",
		"apps/a b/ü.yaml":   "kind: List # $Format:%H$\n",
		".gitattributes":    "apps/** export-ignore\n*.yaml export-subst\n",
		"run.sh":            "#!/bin/sh\n",
		"clusters/one.yaml": "kind: Kustomization\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	link(t, "apps/shop.yaml", filepath.Join(dir, "link.yaml"))
	git(t, dir, append([]string{"init", "-q", "-b", "main"}, init...)...)
	commit(t, dir)
	return dir
}

func resolved(t *testing.T, dir string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.Symlink(target, name)); err != nil {
		t.Fatal(err)
	}
}

func commit(t *testing.T, dir string) {
	t.Helper()
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "commit")
}

// git runs git as nobody in particular. Only tests do.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	args = append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "maintenance.auto=false"}, args...)
	out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput()
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

// content returns the files of a tree by path.
func content(t *testing.T, tr *tree.Tree) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range tr.Paths() {
		data, err := tr.File(name).Data()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		out[name] = string(data)
	}
	return out
}

func open(t *testing.T, dir string) *tree.Repository {
	t.Helper()
	r, err := tree.OpenRepository(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// at returns what a revision has at a path.
func at(t *testing.T, rev, path string) *tree.Tree {
	t.Helper()
	tr, err := open(t, path).Tree(t.Context(), rev, path, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if text, ok := got[name]; !ok || text != want[name] {
			t.Errorf("%s: %s is %q, want %q", what, name, text, want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is too much", what, name)
		}
	}
}

var first = map[string]string{
	"apps/shop.yaml":    "kind: HelmRelease\n",
	"apps/a b/ü.yaml":   "kind: List # $Format:%H$\n",
	".gitattributes":    "apps/** export-ignore\n*.yaml export-subst\n",
	"run.sh":            "#!/bin/sh\n",
	"clusters/one.yaml": "kind: Kustomization\n",
}

func TestTreeReadsTheRevisionAndTouchesNothing(t *testing.T) {
	dir := repository(t)
	write(t, filepath.Join(dir, "apps/shop.yaml"), "kind: Changed\n")
	write(t, filepath.Join(dir, "new/new.yaml"), "kind: New\n")
	git(t, dir, "add", "apps/shop.yaml")
	status := git(t, dir, "status", "--porcelain")

	// As in a hook that git runs, of another repository.
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(dir, ".git", "index"))
	t.Setenv("GIT_WORK_TREE", t.TempDir())
	same(t, "revision", content(t, at(t, "HEAD", dir)), first)
	if got := content(t, at(t, "HEAD", filepath.Join(dir, "new"))); len(got) != 0 {
		t.Errorf("what is new has a content in the revision: %v", got)
	}
	same(t, "folder", content(t, at(t, "HEAD", filepath.Join(dir, "apps"))),
		map[string]string{"shop.yaml": "kind: HelmRelease\n", "a b/ü.yaml": "kind: List # $Format:%H$\n"})
	one := at(t, "HEAD", filepath.Join(dir, "apps/shop.yaml"))
	same(t, "file", content(t, one), map[string]string{"shop.yaml": "kind: HelmRelease\n"})

	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"} {
		os.Unsetenv(name) //nolint:errcheck // t.Setenv restores it
	}
	if after := git(t, dir, "status", "--porcelain"); after != status {
		t.Errorf("status is %q, was %q", after, status)
	}
}
