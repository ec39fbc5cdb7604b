package git_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git/gittest"
)

func open(t *testing.T, dir string) *git.Repository {
	t.Helper()
	r, err := git.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := git.Open(dir); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("outside of a repository: %v", err)
	}
	if _, err := git.Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	write(t, filepath.Join(dir, ".git"), "gitdir: elsewhere\n")
	if _, err := git.Open(dir); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("a worktree of nothing: %v", err)
	}
	write(t, filepath.Join(dir, ".git"), "what is this\n")
	if _, err := git.Open(dir); err == nil || !strings.Contains(err.Error(), "does not say where") {
		t.Errorf("a file of no meaning: %v", err)
	}
	sha256 := gittest.New(t, "--object-format=sha256")
	if _, err := git.Open(sha256); err == nil || !strings.Contains(err.Error(), "has sha256 objects, which cannot be read") {
		t.Errorf("sha256: %v", err)
	}
	reftable := gittest.New(t)
	write(t, filepath.Join(reftable, ".git/config"), "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable ; new\n")
	if _, err := git.Open(reftable); err == nil || !strings.Contains(err.Error(), "git refs migrate --ref-format=files") {
		t.Errorf("reftable: %v", err)
	}
}
