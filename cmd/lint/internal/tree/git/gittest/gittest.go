// Package gittest makes Git repositories for tests with git itself.
package gittest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// New makes a repository with one commit that holds what git's own archive
// would leave out or change, and a symbolic link. It returns the folder without
// symbolic links in its name.
func New(t *testing.T, init ...string) string {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range Files() {
		name = filepath.Join(dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644))
	}
	if err = errors.Join(err, os.Symlink("apps/shop.yaml", filepath.Join(dir, "link.yaml"))); err != nil {
		t.Fatal(err)
	}
	Run(t, dir, append([]string{"init", "-q", "-b", "main"}, init...)...)
	Commit(t, dir)
	return dir
}

// Files returns the files of the first commit by path.
func Files() map[string]string {
	return map[string]string{
		"apps/shop.yaml":    "kind: HelmRelease\n",
		"apps/a b/ü.yaml":   "kind: List # $Format:%H$\n",
		".gitattributes":    "apps/** export-ignore\n*.yaml export-subst\n",
		"run.sh":            "#!/bin/sh\n",
		"clusters/one.yaml": "kind: Kustomization\n",
	}
}

// Commit commits all that the work tree holds.
func Commit(t *testing.T, dir string) {
	t.Helper()
	Run(t, dir, "add", "--all")
	Run(t, dir, "commit", "-q", "--allow-empty", "-m", "commit")
}

// Run runs git as nobody in particular in a folder, and returns what it prints.
func Run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	args = append([]string{
		"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always",
		"-c", "gc.auto=0", "-c", "maintenance.auto=false",
	}, args...)
	out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}
