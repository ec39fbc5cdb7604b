package draft

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

func edit(file string, value any, path ...any) effective.Edit {
	return effective.Edit{File: file, At: yamledit.Address{{Path: path}}, Value: value}
}

// folderWith writes files below a folder, by name, and returns the folder.
func folderWith(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, path string) *Files {
	t.Helper()
	files, err := Open([]string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func wantFile(t *testing.T, name, want string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
	}
}

func TestWriteAndRestore(t *testing.T) {
	dir := folderWith(t, map[string]string{"a.yaml": "x: 1 # c\r\n", "b.yaml": "x: [1, 2, 3]\n", "c.yaml": "x: 1\n"})
	a, b, c := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml"), filepath.Join(dir, "c.yaml")
	files, err := open(t, dir).With([]effective.Edit{
		edit(b, nil, "x", 0), edit(b, nil, "x", 2), edit(b, nil, "x", 0), // one of them twice
		edit(a, 2, "x"), edit(c, 1, "x"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if names := files.Names(); len(names) != 2 || names[0] != a || names[1] != b {
		t.Errorf("changed are %v", names)
	}
	wantFile(t, a, "x: 1 # c\r\n")
	if err := files.Write(); err != nil {
		t.Fatal(err)
	}
	wantFile(t, a, "x: 2 # c\r\n")
	wantFile(t, b, "x: [2]\n")
	if info, err := os.Stat(a); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := files.Restore(); err != nil {
		t.Fatal(err)
	}
	wantFile(t, a, "x: 1 # c\r\n")
	wantFile(t, b, "x: [1, 2, 3]\n")
	if left, _ := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("files are left: %v", left)
	}
}

// A file that somebody else has written meanwhile stays, and so do the others.
func TestWriteAfterOthers(t *testing.T) {
	dir := folderWith(t, map[string]string{"a.yaml": "x: 1\n", "b.yaml": "x: 1\n"})
	a, b := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml")
	files, err := open(t, dir).With([]effective.Edit{edit(a, 2, "x"), edit(b, 2, "x")})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b, []byte("y: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := files.Write(); err == nil || !strings.Contains(err.Error(), "it has been changed meanwhile") {
		t.Errorf("error %v", err)
	}
	wantFile(t, a, "x: 1\n")
	wantFile(t, b, "y: 1\n")
}

func TestWithRefuses(t *testing.T) {
	dir := folderWith(t, map[string]string{"in/a.yaml": "x: 1\n", "out/b.yaml": "x: 1\n"})
	out := filepath.Join(dir, "out", "b.yaml")
	link := filepath.Join(dir, "in", "link.yaml")
	if err := os.Symlink(out, link); err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(dir, "in", "inner.yaml")
	if err := os.Symlink("a.yaml", inner); err != nil {
		t.Fatal(err)
	}
	files := open(t, filepath.Join(dir, "in"))
	for name, err := range map[string]string{out: "is not below", link: "is not below", filepath.Join(dir, "in", "none.yaml"): "no such file"} {
		if _, got := files.With([]effective.Edit{edit(name, 2, "x")}); got == nil || !strings.Contains(got.Error(), err) {
			t.Errorf("%s: error %v, want %q", name, got, err)
		}
	}
	// A link inside of the tree stays one; what it leads to is changed.
	files, err := files.With([]effective.Edit{edit(inner, 2, "x")})
	if err != nil {
		t.Fatal(err)
	}
	if err := files.Write(); err != nil {
		t.Fatal(err)
	}
	wantFile(t, filepath.Join(dir, "in", "a.yaml"), "x: 2\n")
	if info, err := os.Lstat(inner); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	wantFile(t, out, "x: 1\n")
}

// What is left empty goes with what is removed, but spec itself stays, and so does what is
// above it: a release without spec is none, and neither is a patch.
func TestRemovedWithWhatItLeavesEmpty(t *testing.T) {
	const patched = "patches:\n  - target: {kind: HelmRelease}\n    patch: |\n"
	tests := map[string]struct{ before, after string }{
		"a field":           {"spec:\n  upgrade:\n    retries: 1\n    x: 1\n", "spec:\n  upgrade:\n    x: 1\n"},
		"its parent":        {"spec:\n  upgrade:\n    retries: 1\n  x: 1\n", "spec:\n  x: 1\n"},
		"all of spec":       {"x: 1\nspec:\n  upgrade:\n    retries: 1\n", "x: 1\n"},
		"in a patch":        {patched + "      spec:\n        upgrade:\n          retries: 1\n        x: 1\n", patched + "      spec:\n        x: 1\n"},
		"all of a patch":    {"kind: A\n" + patched + "      spec:\n        upgrade:\n          retries: 1\n", "kind: A\n"},
		"with its comments": {"spec:\n  # above\n  upgrade: # beside\n    retries: 1\n  x: 1 # kept\n", "spec:\n  x: 1 # kept\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(folderWith(t, map[string]string{"a.yaml": tt.before}), "a.yaml")
			at := yamledit.Address{{Path: []any{"spec", "upgrade", "retries"}}}
			if strings.Contains(tt.before, "patches") {
				at = append(yamledit.Address{{Path: []any{"patches", 0, "patch"}}}, at...)
			}
			files, err := open(t, file).With([]effective.Edit{{File: file, At: at}})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(files.Contents()[file]); got != tt.after {
				t.Errorf("got\n%s\nwant\n%s", got, tt.after)
			}
		})
	}
	const alone = "kind: HelmRelease\nmetadata: {name: any}\nspec:\n  upgrade:\n    retries: 1\n"
	dir := folderWith(t, map[string]string{"patch.yaml": alone, "two.yaml": alone + "---\nkind: HelmRelease\nmetadata: {name: other}\nspec: {timeout: 1m}\n"})
	for name, want := range map[string]string{"patch.yaml": "patch.yaml would have nothing left: remove the file", "two.yaml": ""} {
		file := filepath.Join(dir, name)
		_, err := open(t, dir).With([]effective.Edit{edit(file, nil, "spec", "upgrade", "retries")})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
	outside := yamledit.Address{{Path: []any{"metadata", "annotations", "x"}}}
	if got := belowSpec(outside); got != 3 {
		t.Errorf("outside of spec %d steps stay, want all 3", got)
	}
}
