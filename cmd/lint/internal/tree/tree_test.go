package tree_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

func TestNames(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "clusters/apps/shop.yaml"), "a")
	t.Chdir(dir)
	abs := filepath.Join(dir, "clusters")
	for _, test := range []struct{ root, name string }{
		{".", "clusters/apps/shop.yaml"},
		{"clusters", "clusters/apps/shop.yaml"},
		{"./clusters/", "clusters/apps/shop.yaml"},
		{abs, filepath.Join(abs, "apps/shop.yaml")},
		{"clusters/../clusters", "clusters/apps/shop.yaml"},
	} {
		tr := folder(t, test.root, tree.Options{})
		path := tr.Paths()[0]
		if got := tr.File(path).Name(); got != test.name || tr.Name(path) != got || tr.Root() != test.root {
			t.Errorf("%s: the file is named %s and %s, want %s", test.root, got, tr.Name(path), test.name)
		}
		for _, name := range []string{test.name, filepath.Join(dir, "clusters/apps/shop.yaml")} {
			if got, ok := tr.Path(name); got != path || !ok {
				t.Errorf("%s: the path of %s is %s, %v, want %s", test.root, name, got, ok, path)
			}
		}
		if got, ok := tr.Path(filepath.Dir(dir)); ok {
			t.Errorf("%s: what is outside has the path %s", test.root, got)
		}
	}
}

func TestLooking(t *testing.T) {
	tr := tree.Of(map[string]*tree.File{"a/b/c.yaml": file("x"), "a/d.yaml": file("y"), "e": file("z")})
	if got := tr.Entries("a"); !slices.Equal(got, []string{"a/b", "a/d.yaml"}) {
		t.Errorf("a holds %q", got)
	}
	if got := tr.Entries("."); !slices.Equal(got, []string{"a", "e"}) {
		t.Errorf("the root holds %q", got)
	}
	for path, want := range map[string][2]bool{
		".": {true, true}, "a": {true, true}, "a/b": {true, true}, "e": {false, true}, "a/d.yaml": {false, true}, "f": {}, "a/b/": {}, "": {}, "/a": {}, "e/f": {},
	} {
		if got := [2]bool{tr.IsDir(path), tr.Exists(path)}; got != want {
			t.Errorf("%q is a folder: %v, exists: %v", path, got[0], got[1])
		}
	}
	if tr.File("a") != nil || tr.File("f") != nil {
		t.Error("there is a file where none is")
	}
}

func file(text string) *tree.File { return tree.Bytes("-", []byte(text)).File("-") }

func TestOfLeavesOutWhatNoTreeCanHold(t *testing.T) {
	tr := tree.Of(map[string]*tree.File{
		"a": file("1"), "a/b": file("2"), "../c": file("3"), "/d": file("4"), "": file("5"), ".": file("6"), "e/../f": file("7"), "ok/x": file("8"), "none": nil,
	})
	if got := tr.Paths(); !slices.Equal(got, []string{"a", "ok/x"}) {
		t.Errorf("paths are %q", got)
	}
	if got := len(tr.Problems()); got != 7 {
		t.Errorf("%d problems: %v", got, problems(tr))
	}
}

func TestBytes(t *testing.T) {
	tr := tree.Bytes("-", []byte("a: 1\n"))
	same(t, "input", content(t, tr), map[string]string{"-": "a: 1\n"})
	if path, ok := tr.Path("-"); tr.Root() != "-" || tr.File("-").Name() != "-" || tr.Name("-") != "-" || path != "-" || !ok {
		t.Errorf("root %q, name %q, path %q", tr.Root(), tr.Name("-"), path)
	}
	if outer, _, err := tr.Around(t.Context()); outer != nil || err != nil {
		t.Error("there is something around standard input")
	}
	if tr.Remotes() != nil {
		t.Error("standard input has remotes")
	}
}

func TestSingle(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "charts/shop/Chart.yaml"), "name: shop\n")
	write(t, filepath.Join(dir, "charts/shop/templates/sub/a.yaml"), "a")
	write(t, filepath.Join(dir, "templates/b.yaml"), "b")
	t.Chdir(dir)
	for name, chart := range map[string]bool{
		"charts/shop/templates/sub/a.yaml":                     true,
		"./charts/shop/templates/sub/a.yaml":                   true,
		filepath.Join(dir, "charts/shop/templates/sub/a.yaml"): true,
		"charts/shop/Chart.yaml":                               false,
		"templates/b.yaml":                                     false,
	} {
		tr, err := tree.Single(name)
		if err != nil {
			t.Fatal(err)
		}
		path := tr.Paths()[0]
		if tr.Root() != name || tr.File(path).Name() != name || tr.Name(path) != name || len(tr.Paths()) != 1 {
			t.Errorf("%s is named %s", name, tr.Name(path))
		}
		if got, ok := tr.Path(name); got != path || !ok {
			t.Errorf("the path of %s is %s, want %s", name, got, path)
		}
		if got := inChart(tr, path); got != chart {
			t.Errorf("%s is a template of a chart: %v", name, got)
		}
	}
	if _, err := tree.Single("charts"); err == nil {
		t.Error("a folder is a file")
	}
	if _, err := tree.Single("none.yaml"); !os.IsNotExist(err) {
		t.Errorf("nothing is a file: %v", err)
	}
}

// inChart looks as its caller would, by paths of the tree.
func inChart(tr *tree.Tree, path string) bool {
	for dir := filepath.Dir(path); dir != "."; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "templates" && tr.Exists(filepath.Join(filepath.Dir(dir), "Chart.yaml")) {
			return true
		}
	}
	return false
}

func TestWith(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a/b.yaml"), "old")
	write(t, filepath.Join(dir, "c.yaml"), "same")
	tr := folder(t, dir, tree.Options{})
	changed := []byte("new")
	out := tr.With(map[string][]byte{"a/b.yaml": changed, "a/n.yaml": []byte("added")})
	changed[0] = 'x'
	same(t, "before", content(t, tr), map[string]string{"a/b.yaml": "old", "c.yaml": "same"})
	same(t, "after", content(t, out), map[string]string{"a/b.yaml": "new", "a/n.yaml": "added", "c.yaml": "same"})
	if out.File("c.yaml") != tr.File("c.yaml") {
		t.Error("what has not changed is not shared")
	}
	if got := out.Paths(); !slices.Equal(got, []string{"a/b.yaml", "a/n.yaml", "c.yaml"}) {
		t.Errorf("paths are %q", got)
	}
	if got, want := out.File("a/b.yaml").Name(), filepath.Join(dir, "a/b.yaml"); got != want || out.File("a/b.yaml").Origin() != "a/b.yaml" {
		t.Errorf("the file is named %s, want %s", got, want)
	}
	if got, want := out.File("a/n.yaml").Name(), filepath.Join(dir, "a/n.yaml"); got != want {
		t.Errorf("the new file is named %s, want %s", got, want)
	}
	if tr.File("a/b.yaml").Hash() == out.File("a/b.yaml").Hash() {
		t.Error("two contents have one hash")
	}
}

func TestSubAndOfKeepNames(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a/b/c.yaml"), "1")
	write(t, filepath.Join(dir, "a/bb.yaml"), "2")
	tr := folder(t, dir, tree.Options{})
	sub := tr.Sub("a/b")
	same(t, "sub", content(t, sub), map[string]string{"c.yaml": "1"})
	if f := sub.File("c.yaml"); f != tr.File("a/b/c.yaml") || f.Origin() != "a/b/c.yaml" {
		t.Errorf("the file is from %s", f.Origin())
	}
	if got, want := sub.Name("none.yaml"), filepath.Join(dir, "a/b/none.yaml"); got != want {
		t.Errorf("what is not there is named %s, want %s", got, want)
	}
	moved := tree.Of(map[string]*tree.File{"x/y.yaml": sub.File("c.yaml")})
	if f := moved.File("x/y.yaml"); f.Name() != filepath.Join(dir, "a/b/c.yaml") || moved.Name("x/y.yaml") != f.Name() {
		t.Errorf("the moved file is named %s", f.Name())
	}
	again := moved.With(map[string][]byte{"x/y.yaml": []byte("3")}).File("x/y.yaml")
	if again.Name() != filepath.Join(dir, "a/b/c.yaml") || again.Origin() != "a/b/c.yaml" {
		t.Errorf("the changed file is named %s, from %s", again.Name(), again.Origin())
	}
	if len(tr.Sub("none").Paths()) != 0 || tr.Sub(".") != tr {
		t.Error("a folder that does not exist has files")
	}
}

func TestLFSPointer(t *testing.T) {
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
	if !file(pointer).IsLFSPointer() || file("kind: List\n").IsLFSPointer() {
		t.Error("a pointer of Git LFS is not known")
	}
}
