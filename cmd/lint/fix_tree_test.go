package main

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/manifest"
)

// TestFixOfTrees repairs a copy of every example tree: what is said to be fixed
// is gone, every file can still be read and has the comments that it had, and a
// second run changes nothing.
func TestFixOfTrees(t *testing.T) {
	trees, err := filepath.Glob("../../testdata/fleet/*")
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, tree := range append(trees, "../../testdata/demo") {
		t.Run(filepath.Base(tree), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "tree")
			if err := os.CopyFS(dir, os.DirFS(tree)); err != nil {
				t.Fatal(err)
			}
			before := readTree(t, dir)
			fixTree(t, dir)
			after := readTree(t, dir)
			for name, was := range before {
				if is, ok := after[name]; !ok || !bytes.Equal(was, is) {
					changed++
					checkEdited(t, name, was, is)
				}
			}
			fixTree(t, dir)
			for name, data := range readTree(t, dir) {
				if !bytes.Equal(data, after[name]) {
					t.Errorf("%s is changed by a second run, from\n%s\nto\n%s", name, after[name], data)
				}
			}
		})
	}
	if changed < 10 {
		t.Errorf("only %d files were changed", changed)
	}
}

func fixTree(t *testing.T, dir string) {
	t.Helper()
	var notes strings.Builder
	code := run(t.Context(), []string{"lint", "--fix=unsafe", "-o", "compact", dir}, streams{out: io.Discard, err: &notes})
	t.Logf("exit code %d\n%s", code, strings.ReplaceAll(notes.String(), dir+"/", ""))
	if strings.Contains(notes.String(), "flux-remedy:") {
		t.Error("the run failed")
	}
}

func checkEdited(t *testing.T, name string, was, is []byte) {
	t.Helper()
	file, err := manifest.Parse(name, is)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range file.Documents {
		if doc.Err != nil {
			t.Errorf("%s cannot be read: %v", name, doc.Err)
		}
	}
	for line := range strings.Lines(string(was)) {
		if _, comment, ok := strings.Cut(line, "#"); ok && !strings.Contains(string(is), comment) {
			t.Errorf("%s has lost the comment %q", name, comment)
		}
	}
}

// readTree reads every file of a tree, by its path in it.
func readTree(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		files[strings.TrimPrefix(name, dir+"/")] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
