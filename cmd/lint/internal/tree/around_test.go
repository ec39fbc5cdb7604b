package tree_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git/gittest"
)

// names returns the names of all files.
func names(tr *tree.Tree) []string {
	var out []string
	for _, path := range tr.Paths() {
		out = append(out, tr.File(path).Name())
	}
	return out
}

// TestTwoSidesNameFilesAlike checks that files of a revision have the same names as those
// of the work tree, whatever the path to it is.
func TestTwoSidesNameFilesAlike(t *testing.T) {
	dir := gittest.New(t)
	for name, target := range map[string]string{
		"apps/out.yaml": "../clusters/one.yaml", "apps/dir": "../clusters", "apps/no.yaml": "none", "apps/in.yaml": "shop.yaml", "apps/away.yaml": "/dev/null",
		"apps/up.yaml": "../../x.yaml", "apps/loop.yaml": "loop.yaml", "apps/through.yaml": "dir/one.yaml", "apps/text": "../run.sh", "apps/dirs.yaml": "dir/../apps/shop.yaml",
	} {
		link(t, target, filepath.Join(dir, name))
	}
	gittest.Commit(t, dir)
	far := filepath.Join(resolved(t, t.TempDir()), "far")
	link(t, dir, far)
	link(t, filepath.Join(dir, "apps"), far+"-apps")
	t.Chdir(filepath.Join(dir, "apps"))
	for _, path := range []string{".", "..", "../apps/", dir, far, far + "/apps", far + "-apps", "shop.yaml", "./shop.yaml", "../apps/a b"} {
		now, err := tree.Folder(t.Context(), path, tree.Options{})
		if strings.HasSuffix(path, ".yaml") {
			now, err = tree.Single(path)
		}
		if err != nil {
			t.Fatal(err)
		}
		then := at(t, "HEAD", path)
		alike(t, path, now, then)
		outer, inner, err := now.Around(t.Context())
		outerThen, innerThen, errThen := then.Around(t.Context())
		if err != nil || errThen != nil || inner != innerThen || (outer == nil) != (outerThen == nil) {
			t.Errorf("%s: around are %q, %v and %q, %v", path, inner, err, innerThen, errThen)
		}
		if outer != nil {
			alike(t, "around "+path, outer, outerThen)
		}
		if want := map[string]string{".": "apps", "../apps/": "apps", "../apps/a b": "apps/a b", far + "/apps": "apps"}[path]; inner != want {
			t.Errorf("%s: it is at %q of what is around, want %q", path, inner, want)
		}
	}
	outer, _, err := folder(t, ".", tree.Options{}).Around(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := outer.File("clusters/one.yaml").Name(); got != "../clusters/one.yaml" {
		t.Errorf("what is around is named %s", got)
	}
}

func alike(t *testing.T, what string, now, then *tree.Tree) {
	t.Helper()
	if now.Root() != then.Root() || now.Name("x") != then.Name("x") {
		t.Errorf("%s: roots are %s and %s", what, now.Root(), then.Root())
	}
	if a, b := names(now), names(then); !slices.Equal(a, b) {
		t.Errorf("%s: names are\n%q and\n%q", what, a, b)
	}
	if !slices.Equal(now.Paths(), then.Paths()) {
		t.Errorf("%s: paths are\n%q and\n%q", what, now.Paths(), then.Paths())
	}
	if a, b := problems(now), problems(then); !slices.Equal(a, b) {
		t.Errorf("%s: problems are\n%q and\n%q", what, a, b)
	}
	same(t, what, content(t, then), content(t, now))
	for _, path := range now.Paths() {
		if now.File(path).Hash() != then.File(path).Hash() {
			t.Errorf("%s: %s has two hashes", what, path)
		}
	}
}

func TestIgnoreSeesPathsFromTheRoot(t *testing.T) {
	dir := gittest.New(t)
	t.Chdir(dir)
	opts := tree.Options{Ignore: func(path string) bool { return filepath.Join("apps", path) == "clusters" }}
	then, err := tree.Revision(t.Context(), open(t, dir), "HEAD", "apps", opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range []*tree.Tree{folder(t, "apps", opts), then} {
		outer, _, err := tr.Around(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if outer.Exists("clusters") || !outer.Exists("apps/shop.yaml") {
			t.Errorf("what is around has %q", outer.Paths())
		}
	}
}

func TestRevisionOfFiles(t *testing.T) {
	dir := gittest.New(t)
	write(t, filepath.Join(dir, "charts/x/Chart.yaml"), "name: x\n")
	write(t, filepath.Join(dir, "charts/x/templates/a.yaml"), "a")
	write(t, filepath.Join(dir, "turns"), "a file")
	write(t, filepath.Join(dir, "big.txt"), strings.Repeat("x", 1<<20+1))
	gittest.Commit(t, dir)
	write(t, filepath.Join(dir, "new.yaml"), "new")
	gittest.Run(t, dir, "rm", "-q", "turns")
	write(t, filepath.Join(dir, "turns/a.yaml"), "a folder")
	t.Chdir(dir)
	if tr := at(t, "HEAD", "charts/x/templates/a.yaml"); !inChart(tr, tr.Paths()[0]) || tr.Name(tr.Paths()[0]) != "charts/x/templates/a.yaml" {
		t.Errorf("the template is at %q", tr.Paths())
	}
	if tr := at(t, "HEAD", "new.yaml"); len(tr.Paths()) != 0 || tr.Root() != "new.yaml" || tr.Name("new.yaml") != "new.yaml" {
		t.Errorf("what is new is %q", tr.Paths())
	}
	same(t, "a file that is a folder now", content(t, at(t, "HEAD", "turns")), map[string]string{"turns": "a file"})
	tr, err := tree.Revision(t.Context(), open(t, dir), "HEAD", ".", tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tr.File("big.txt").Data(); err == nil || err.Error() != "larger than 1 MiB: not read" {
		t.Errorf("a large file: %v", err)
	}
	if _, err := tree.Revision(t.Context(), open(t, dir), "HEAD", ".", tree.Options{MaxFiles: 3}); err == nil || !strings.Contains(err.Error(), "limit of 3 files") {
		t.Errorf("many files: %v", err)
	}
}

func TestRemotes(t *testing.T) {
	dir := gittest.New(t)
	gittest.Run(t, dir, "remote", "add", "origin", "https://example.com/a.git")
	gittest.Run(t, dir, "remote", "add", "up", "git@example.com:b # c.git")
	write(t, filepath.Join(dir, ".git/more"), "[remote \"x\"]\n\turl = https://example.com/included\n")
	gittest.Run(t, dir, "config", "include.path", "more")
	gittest.Run(t, dir, "config", "submodule.x.url", "https://example.com/module")
	there := filepath.Join(t.TempDir(), "there")
	gittest.Run(t, dir, "worktree", "add", "-q", there)
	want := []string{"https://example.com/a.git", "git@example.com:b # c.git"}
	for _, path := range []string{dir, filepath.Join(dir, "apps"), there} {
		if got := folder(t, path, tree.Options{}).Remotes(); !slices.Equal(got, want) {
			t.Errorf("%s: remotes are %q, want %q", path, got, want)
		}
	}
	if got := at(t, "HEAD", dir).Remotes(); !slices.Equal(got, want) {
		t.Errorf("a revision: remotes are %q, want %q", got, want)
	}
	if got := folder(t, t.TempDir(), tree.Options{}).Remotes(); got != nil {
		t.Errorf("outside of Git: remotes are %q", got)
	}
	bad := t.TempDir()
	link(t, filepath.Join(dir, ".git/config"), filepath.Join(bad, ".git/config"))
	if got := folder(t, bad, tree.Options{}).Remotes(); got != nil {
		t.Errorf("through a link: remotes are %q", got)
	}
}
