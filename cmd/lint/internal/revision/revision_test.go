package revision

import (
	"archive/tar"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestOpen: the revision is there, the work tree stays as it is, and nothing is
// left behind.
func TestOpen(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	repo := t.TempDir()
	write(t, repo, "apps/a.yaml", "old")
	if err := os.Symlink("a.yaml", filepath.Join(repo, "apps", "link.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "old"},
	} {
		if out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", repo}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %s", args, out)
		}
	}
	write(t, repo, "apps/a.yaml", "new")
	write(t, repo, "later/b.yaml", "new")

	tree, err := Open(t.Context(), filepath.Join(repo, "apps", "a.yaml"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	there, err := tree.Path(filepath.Join(repo, "apps"))
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		filepath.Join(there, "a.yaml"): "old", filepath.Join(there, "link.yaml"): "old",
		filepath.Join(repo, "apps", "a.yaml"): "new",
	} {
		if data, err := os.ReadFile(file); err != nil || string(data) != want {
			t.Errorf("%s holds %q, %v, want %q", file, data, err, want)
		}
	}
	if later, err := tree.Path(filepath.Join(repo, "later")); err != nil || len(entries(t, later)) > 0 {
		t.Errorf("what is not in the revision gives %s, %v", later, err)
	}
	if _, err := tree.Path(t.TempDir()); err == nil {
		t.Error("a path outside the repository was found in it")
	}
	if err := tree.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(there); !os.IsNotExist(err) {
		t.Errorf("the folder is left behind: %v", err)
	}
	for _, rev := range []string{"nonsense", "--output=x"} {
		if _, err := Open(t.Context(), repo, rev); err == nil {
			t.Errorf("revision %s was found", rev)
		}
	}
}

// TestExtractStaysInside: an archive cannot write outside its folder, not even
// through a link.
func TestExtractStaysInside(t *testing.T) {
	outside := t.TempDir()
	for _, headers := range [][]tar.Header{
		{{Name: "../escaped", Typeflag: tar.TypeReg}},
		{{Name: "link", Typeflag: tar.TypeSymlink, Linkname: outside}, {Name: "link/escaped", Typeflag: tar.TypeReg}},
	} {
		var archive bytes.Buffer
		w := tar.NewWriter(&archive)
		for _, header := range headers {
			if err := w.WriteHeader(&header); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := extract(t.TempDir(), archive.Bytes()); err == nil {
			t.Errorf("%v was extracted", headers)
		}
	}
	if left := entries(t, outside); len(left) > 0 {
		t.Errorf("%v was written outside", left)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func entries(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
