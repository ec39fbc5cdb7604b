package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFolder: a folder is read with what its links lead to, and what would not end is not.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.rego"), "package a", 0o600)
	write(t, filepath.Join(dir, "large.rego"), strings.Repeat("#", maxRead+1), 0o600)
	for name, to := range map[string]string{"link.rego": "a.rego", "device.rego": os.DevNull} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	folder := Folder(dir)
	if entries, err := fs.ReadDir(folder, "."); err != nil || len(entries) != 4 {
		t.Errorf("%v, %v", entries, err)
	}
	for name, want := range map[string]string{
		"a.rego": "", "link.rego": "", "large.rego": "open large.rego: it has more than 4 MiB",
		"device.rego": "open device.rego: it is no regular file", "gone.rego": "stat gone.rego: no such file or directory",
	} {
		data, err := fs.ReadFile(folder, name)
		if want == "" && (err != nil || string(data) != "package a") || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %q, %v, want %s", name, data, err, want)
		}
	}
}
