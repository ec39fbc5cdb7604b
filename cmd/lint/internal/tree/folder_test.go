package tree_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

func folder(t *testing.T, dir string, opts tree.Options) *tree.Tree {
	t.Helper()
	tr, err := tree.Folder(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// problems returns each problem as one line.
func problems(tr *tree.Tree) []string {
	var out []string
	for _, p := range tr.Problems() {
		out = append(out, p.Path+": "+p.Err.Error())
	}
	return out
}

func TestFolder(t *testing.T) {
	for _, test := range []struct {
		name     string
		files    map[string]string // "-> x" is a link to x
		ignore   string
		want     []string
		problems []string // OUT is a folder elsewhere
	}{
		{
			name:  "order is folder by folder",
			files: map[string]string{"b.yaml": "", "b/z.yaml": "", "a/c/d.yaml": "", "a/b.yaml": "", "b-c": "", "Z": ""},
			want:  []string{"Z", "a/b.yaml", "a/c/d.yaml", "b/z.yaml", "b-c", "b.yaml"},
		},
		{
			name:  "git's own folder is left out, hidden ones are not",
			files: map[string]string{".git/config": "", "sub/.git": "gitdir: x", "sub/a.yaml": "", ".github/w.yml": ""},
			want:  []string{".github/w.yml", "sub/a.yaml"},
		},
		{
			name:  "outside of a repository anything may be tracked",
			files: map[string]string{".gitignore": "*.log\n/out/\n", "a.log": "", "out/x": ""},
			want:  []string{".gitignore", "a.log", "out/x"},
		},
		{
			name:   "the configuration's own",
			files:  map[string]string{"vendor/a.yaml": "", "a.yaml": "", "deep/vendor/b.yaml": ""},
			ignore: "vendor",
			want:   []string{"a.yaml", "deep/vendor/b.yaml"},
		},
		{
			name: "links",
			files: map[string]string{
				"base/a.yaml": "", "same": "-> base", "same.yaml": "-> base/a.yaml", "no.yaml": "-> nowhere", "no.txt": "-> nowhere",
				"out": "-> OUT", "out.yaml": "-> OUT/file.yaml", "out.txt": "-> OUT/file.yaml", "loop.json": "-> loop.json",
			},
			want: []string{"base/a.yaml"},
			problems: []string{
				"loop.json: symbolic link leads nowhere", "no.yaml: symbolic link leads nowhere",
				"out: symbolic link leads out of the tree, to OUT: not followed",
				"out.yaml: symbolic link leads out of the tree, to OUT/file.yaml: not followed",
			},
		},
		{name: "nothing", files: map[string]string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, out := t.TempDir(), resolved(t, t.TempDir())
			write(t, filepath.Join(out, "file.yaml"), "*.yaml\n")
			for name, text := range test.files {
				if target, ok := strings.CutPrefix(text, "-> "); ok {
					link(t, strings.ReplaceAll(target, "OUT", out), filepath.Join(dir, name))
				} else {
					write(t, filepath.Join(dir, name), text)
				}
			}
			tr := folder(t, dir, tree.Options{Ignore: func(path string) bool { return test.ignore != "" && path == test.ignore }})
			if got := tr.Paths(); !slices.Equal(got, test.want) {
				t.Errorf("paths\n got %q\nwant %q", got, test.want)
			}
			got := problems(tr)
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], out, "OUT")
			}
			if !slices.Equal(got, test.problems) {
				t.Errorf("problems\n got %q\nwant %q", got, test.problems)
			}
		})
	}
}

func TestFolderRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), "a")
	write(t, filepath.Join(dir, "b.yaml"), "b")
	if _, err := tree.Folder(t.Context(), dir, tree.Options{MaxFiles: 1}); err == nil || !strings.Contains(err.Error(), dir+" holds more than the limit of 1 files") {
		t.Errorf("too many files: %v", err)
	}
	if _, err := tree.Folder(t.Context(), filepath.Join(dir, "a.yaml"), tree.Options{}); err == nil || !strings.Contains(err.Error(), "not a folder") {
		t.Errorf("a file: %v", err)
	}
	if _, err := tree.Folder(t.Context(), filepath.Join(dir, "none"), tree.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tree.Folder(ctx, dir, tree.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("when it is too late: %v", err)
	}
	left := t.TempDir()
	write(t, filepath.Join(left, "left/a.yaml"), "a")
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	late := tree.Options{Ignore: func(string) bool { cancel(); return true }}
	if _, err := tree.Folder(ctx, left, late); !errors.Is(err, context.Canceled) {
		t.Errorf("when it is too late in what is left out: %v", err)
	}
}

func TestFolderCannotRead(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "shut/a.yaml"), "a")
	write(t, filepath.Join(dir, "b.yaml"), "b")
	for name, mode := range map[string]os.FileMode{"shut": 0, "b.yaml": 0} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "shut"), 0o700) })
	tr := folder(t, dir, tree.Options{})
	if got := problems(tr); !slices.Equal(got, []string{"shut: permission denied"}) {
		t.Errorf("problems are %q", got)
	}
	if _, err := tr.File("b.yaml").Data(); err == nil || err.Error() != "permission denied" {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

func TestSizes(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"small.yaml": 1<<20 + 1, "large.yaml": 10<<20 + 1, "small.txt": 9, "large.txt": 1<<20 + 1} {
		write(t, filepath.Join(dir, name), strings.Repeat("x", size))
	}
	tr := folder(t, dir, tree.Options{})
	for name, want := range map[string]string{"small.yaml": "", "small.txt": "", "large.txt": "larger than 1 MiB: not read", "large.yaml": "larger than 10 MiB: not read"} {
		got := ""
		if _, err := tr.File(name).Data(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestFileThatBecomesALink holds a walk to what it has seen: no file leads out
// of the tree later.
func TestFileThatBecomesALink(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "a/b.yaml"), "inside")
	write(t, filepath.Join(out, "b.yaml"), "outside")
	tr := folder(t, dir, tree.Options{})
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, "a")), os.Symlink(out, filepath.Join(dir, "a"))); err != nil {
		t.Fatal(err)
	}
	if data, err := tr.File("a/b.yaml").Data(); err == nil {
		t.Errorf("the file is %q", data)
	}
}

func TestContentIsReadOnce(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.yaml")
	write(t, name, "one")
	file := folder(t, dir, tree.Options{}).File("a.yaml")
	hash := file.Hash()
	write(t, name, "two")
	if data, err := file.Data(); string(data) != "one" || err != nil {
		t.Errorf("the file is %q, %v", data, err)
	}
	if file.Hash() != hash {
		t.Error("the hash has changed")
	}
}

func TestNamedPipesAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600); err != nil {
		t.Skip(err)
	}
	if got := folder(t, dir, tree.Options{}).Paths(); len(got) != 0 {
		t.Errorf("files are %q", got)
	}
}
