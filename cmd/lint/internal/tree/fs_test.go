package tree_test

import (
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

func TestFS(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.yaml": "1", "b/c.yaml": "22", "b/d/e.txt": "", ".hidden/x": "3", "a b+c/ü.yaml": "4"} {
		write(t, filepath.Join(dir, name), text)
	}
	tr := folder(t, dir, tree.Options{})
	if err := fstest.TestFS(tr, tr.Paths()...); err != nil {
		t.Error(err)
	}
	if err := fstest.TestFS(tree.Of(nil)); err != nil {
		t.Errorf("empty: %v", err)
	}
	sub := tr.Sub("b").With(map[string][]byte{"d/f.yaml": []byte("5")})
	if err := fstest.TestFS(sub, "c.yaml", "d/e.txt", "d/f.yaml"); err != nil {
		t.Errorf("view: %v", err)
	}
}
