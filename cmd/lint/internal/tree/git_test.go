package tree_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git/gittest"
)

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

func open(t *testing.T, dir string) *git.Repository {
	t.Helper()
	r, err := git.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// at returns what a revision has at a path.
func at(t *testing.T, rev, path string) *tree.Tree {
	t.Helper()
	tr, err := tree.Revision(t.Context(), open(t, path), rev, path, tree.Options{})
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

func TestTreeReadsTheRevisionAndTouchesNothing(t *testing.T) {
	dir := gittest.New(t)
	write(t, filepath.Join(dir, "apps/shop.yaml"), "kind: Changed\n")
	write(t, filepath.Join(dir, "new/new.yaml"), "kind: New\n")
	gittest.Run(t, dir, "add", "apps/shop.yaml")
	status := gittest.Run(t, dir, "status", "--porcelain")

	// As in a hook that git runs, of another repository.
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(dir, ".git", "index"))
	t.Setenv("GIT_WORK_TREE", t.TempDir())
	same(t, "revision", content(t, at(t, "HEAD", dir)), gittest.Files())
	if got := content(t, at(t, "HEAD", filepath.Join(dir, "new"))); len(got) != 0 {
		t.Errorf("what is new has a content in the revision: %v", got)
	}
	same(t, "folder", content(t, at(t, "HEAD", filepath.Join(dir, "apps"))),
		map[string]string{"shop.yaml": "kind: HelmRelease\n", "a b/ü.yaml": "kind: List # $Format:%H$\n"})
	one := at(t, "HEAD", filepath.Join(dir, "apps/shop.yaml"))
	same(t, "file", content(t, one), map[string]string{"shop.yaml": "kind: HelmRelease\n"})

	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"} {
		os.Unsetenv(name)
	}
	if after := gittest.Run(t, dir, "status", "--porcelain"); after != status {
		t.Errorf("status is %q, was %q", after, status)
	}
}

// TestRevisionLeavesOutWhatTheWorkTreeDoes reads files that git tracks and a
// .gitignore file names: a comparison would call them gone.
func TestRevisionLeavesOutWhatTheWorkTreeDoes(t *testing.T) {
	dir := gittest.New(t)
	for name, text := range map[string]string{
		".gitignore": "made*.yaml\n/out/\n", "apps/.gitignore": "!made-here.yaml\r\n",
		"made.yaml": "", "out/x.yaml": "", "apps/made.yaml": "", "apps/made-here.yaml": "", "apps/out/x.yaml": "",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	gittest.Run(t, dir, "add", "--all", "--force")
	gittest.Commit(t, dir)
	for _, name := range []string{dir, filepath.Join(dir, "apps")} {
		now, err := tree.Folder(t.Context(), name, tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, name, content(t, at(t, "HEAD", name)), content(t, now))
		if now.File("made.yaml") != nil && name == dir {
			t.Error("the work tree has what .gitignore names")
		}
	}
}
