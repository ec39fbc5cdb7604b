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

// TestFolderIgnores reads what .gitignore names as Git does: what it tracks is
// there, in the work tree as in a revision.
func TestFolderIgnores(t *testing.T) {
	dir := gittest.New(t)
	for name, text := range map[string]string{
		".gitignore": "# no comment\n*.log\n/out/\n!keep.log\r\n", "a.log": "", "keep.log": "", "in/out/x": "",
		"in/.gitignore": "secret*\n", "in/secret.yaml": "", "secret.yaml": "", "in/deep/secret": "",
		"out/x.yaml": "tracked", "out/deep/y.yaml": "tracked", "out/other.yaml": "", "tracked.log": "tracked",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	gittest.Run(t, dir, "add", "--force", "out/x.yaml", "out/deep", "tracked.log")
	gittest.Commit(t, dir)
	for _, of := range []struct {
		dir     string
		ignored []string
	}{
		{dir, []string{"a.log", "in/secret.yaml", "in/deep/secret", "out/other.yaml"}},
		{filepath.Join(dir, "in"), []string{"secret.yaml", "deep/secret"}},
	} {
		now, err := tree.Folder(t.Context(), of.dir, tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, of.dir, content(t, at(t, "HEAD", of.dir)), content(t, now))
		for _, name := range of.ignored {
			if now.Exists(name) {
				t.Errorf("%s has %s", of.dir, name)
			}
		}
	}
}

// TestFolderIgnoresInModules reads a submodule by its own index, and leaves out
// a repository that the outer one ignores.
func TestFolderIgnoresInModules(t *testing.T) {
	inner, dir := gittest.New(t), gittest.New(t)
	write(t, filepath.Join(inner, ".gitignore"), "*.yaml\n")
	gittest.Commit(t, inner)
	gittest.Run(t, dir, "submodule", "--quiet", "add", inner, "module")
	gittest.Run(t, dir, "clone", "--quiet", inner, filepath.Join(dir, "clone"))
	write(t, filepath.Join(dir, ".gitignore"), "/clone/\n/module/\n")
	write(t, filepath.Join(dir, "module/mine.yaml"), "")
	found, err := tree.Folder(t.Context(), dir, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"module/apps/shop.yaml": true, "module/mine.yaml": false, "clone": false} {
		if got := found.Exists(name); got != want {
			t.Errorf("%s is there: %v, want %v", name, got, want)
		}
	}
}

// A .gitignore file that is a link out of the tree names nothing.
func TestFolderIgnoresNoLink(t *testing.T) {
	dir, out := gittest.New(t), t.TempDir()
	write(t, filepath.Join(out, "patterns"), "*\n")
	link(t, filepath.Join(out, "patterns"), filepath.Join(dir, ".gitignore"))
	write(t, filepath.Join(dir, "new.yaml"), "")
	found, err := tree.Folder(t.Context(), dir, tree.Options{})
	if err != nil || !found.Exists("new.yaml") {
		t.Errorf("new.yaml is not there: %v", err)
	}
}
