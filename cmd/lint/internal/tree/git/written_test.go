package git

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWritten(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &Repository{root: root}
	if err := os.MkdirAll(filepath.Join(root, "apps", "shop"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"back": ".", "other": "apps", "apps/out": os.TempDir()} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	for at, want := range map[string]struct {
		path     string
		unlinked bool
	}{
		".": {".", true}, "apps": {"apps", true}, "apps/shop": {"apps/shop", true}, "apps/../apps/shop": {"apps/shop", true},
		"back/apps": {"back/apps", false}, "other/shop": {"other/shop", false}, "apps/out": {"apps/out", false},
	} {
		path, err := r.Written(root + "/" + at)
		if err != nil || path != want.path {
			t.Errorf("%s is at %q, %v, want %q", at, path, err, want.path)
		}
		if err := r.Unlinked(root + "/" + at); (err == nil) != want.unlinked {
			t.Errorf("%s: %v", at, err)
		}
	}
	if _, err := r.Written(filepath.Dir(root)); err == nil {
		t.Error("the folder above is in the repository")
	}
}
