package tree_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// A tree that holds much reads its files again, and nobody sees two versions of one.
func TestReadAgain(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	large := strings.Repeat("a: b\n", 1<<20)
	for _, name := range []string{"0.yaml", "1.yaml", "2.yaml", "3.yaml"} {
		write(name, name+": "+large)
	}
	write("small.yaml", "small")
	files, err := tree.Folder(t.Context(), dir, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) error {
		return tree.Unchanged(func() error {
			data, err := files.File(name).Data()
			if want := []byte(name + ": " + large); err == nil && !bytes.Equal(data, want) {
				t.Errorf("%s holds %.20q", name, data)
			}
			return err
		})
	}
	for _, name := range files.Paths()[:4] {
		if err := read(name); err != nil {
			t.Fatal(err)
		}
	}
	hash := files.File("1.yaml").Hash()
	write("1.yaml", "1.yaml: "+strings.ToUpper(large))
	write("2.yaml", "")
	if err := os.Remove(filepath.Join(dir, "3.yaml")); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.GC()
	for name, changed := range map[string]bool{"0.yaml": false, "1.yaml": true, "2.yaml": true, "3.yaml": true} {
		err := read(name)
		if changed != (err != nil) || changed && !strings.Contains(err.Error(), name+" was changed while it was in use") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if files.File("1.yaml").Hash() != hash {
		t.Error("the hash of a file is another one")
	}
}

// A tree that is told to keep its files has them as they were.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	file, was := filepath.Join(dir, "0.yaml"), strings.Repeat("a: b\n", 1<<20)
	if err := os.WriteFile(file, []byte(was), 0o644); err != nil {
		t.Fatal(err)
	}
	files, err := tree.Folder(t.Context(), dir, tree.Options{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := files.File("0.yaml").Data(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	if data := files.File("0.yaml").Again(); string(data) != was {
		t.Errorf("%d bytes are left of %d", len(data), len(was))
	}
}

// Only a change of a file is an error.
func TestUnchangedPanics(t *testing.T) {
	defer func() {
		if p := recover(); p != "other" {
			t.Error(p)
		}
	}()
	_ = tree.Unchanged(func() error { panic("other") })
}
