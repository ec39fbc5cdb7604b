package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPreCommit commits with the hooks of this repository's last commit, installed
// by the real pre-commit.
func TestPreCommit(t *testing.T) {
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip("pre-commit is not installed")
	}
	t.Parallel()
	r := newRunner(t)
	r.useCaches()
	r.write("old.yaml", strings.ReplaceAll(bad, "shop", "old"))
	r.write(".pre-commit-config.yaml", hooksOf(t))
	r.git("init", "-q", "-b", "main")
	r.commit()
	if out, err := r.command("pre-commit", "install", "--install-hooks").CombinedOutput(); err != nil {
		t.Fatalf("pre-commit install: %v\n%s", err, out)
	}

	r.write("shop.yaml", good)
	r.try("flux-remedy", 0, "Passed")
	r.write("new.yaml", strings.ReplaceAll(bad, "shop", "new"))
	r.try("flux-remedy", 1, "+ error no-recovery")
	r.try("flux-remedy-full", 1, "2 errors")
	r.try("flux-remedy-fix", 1, "files were modified by this hook")
	r.try("flux-remedy-fix", 0, "Passed")
	if fixed, err := os.ReadFile(filepath.Join(r.dir, "new.yaml")); err != nil || !strings.Contains(string(fixed), "RetryOnFailure") {
		t.Errorf("%v, not repaired:\n%s", err, fixed)
	}
	r.write("readme.txt", "nothing for a hook")
	r.try("flux-remedy-full", 0, "(no files to check)Skipped")
	r.write("more.yaml", strings.ReplaceAll(good, "shop", "more"))
	r.try("flux-remedy-full", 0, "Passed")
}

// TestPreCommitInstalled: with the program of an archive in the PATH, as docs/ci.md says, a hook builds nothing.
func TestPreCommitInstalled(t *testing.T) {
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip("pre-commit is not installed")
	}
	r := newRunner(t)
	r.env = append(r.env, "PRE_COMMIT_HOME="+r.file("pre-commit"), "GOFLAGS=-no-such-flag", "PATH="+unpacked(t)+":"+os.Getenv("PATH"))
	text, _, _ := strings.Cut(hooksOf(t), "      - id:")
	r.write(".pre-commit-config.yaml", text+"      - id: flux-remedy\n        language: system\n        entry: flux-remedy diff --strict\n")
	r.write("old.yaml", strings.ReplaceAll(bad, "shop", "old"))
	r.git("init", "-q", "-b", "main")
	r.commit()
	if out, err := r.command("pre-commit", "install", "--install-hooks").CombinedOutput(); err != nil {
		t.Fatalf("pre-commit install: %v\n%s", err, out)
	}
	r.write("shop.yaml", good)
	r.try("flux-remedy", 0, "Passed")
	r.write("new.yaml", strings.ReplaceAll(bad, "shop", "new"))
	r.try("flux-remedy", 1, "+ error no-recovery")
}

var hookIDs = []string{"flux-remedy", "flux-remedy-full", "flux-remedy-fix"}

// try commits everything with one of the hooks.
func (r *runner) try(hook string, code int, want string) {
	r.Helper()
	r.git("add", "--all")
	var skip []string
	for _, id := range hookIDs {
		if id != hook {
			skip = append(skip, id)
		}
	}
	cmd := r.command("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-m", "change")
	cmd.Env = append(cmd.Env, "SKIP="+strings.Join(skip, ","))
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(string(out), want) {
		r.Errorf("%s: exits with %d, want %d and %q in:\n%s", hook, got, code, want, out)
	}
}

// hooksOf returns a configuration with all hooks of this repository.
func hooksOf(t *testing.T) string {
	t.Helper()
	source, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("repos:\n  - repo: %s\n    rev: %s\n    hooks:\n", source, git(t, source, "rev-parse", "HEAD"))
	for _, id := range hookIDs {
		text += "      - id: " + id + "\n"
	}
	return text
}

// useCaches shares Go's caches with pre-commit, which runs Go with an empty
// GOPATH and would download and build everything again.
func (r *runner) useCaches() {
	r.Helper()
	for _, name := range []string{"GOMODCACHE", "GOCACHE"} {
		dir, err := exec.CommandContext(r.Context(), "go", "env", name).Output()
		if err != nil {
			r.Fatal(err)
		}
		r.env = append(r.env, name+"="+strings.TrimSpace(string(dir)))
	}
	r.env = append(r.env, withoutSymbols+" -trimpath", "CGO_ENABLED=0", "PRE_COMMIT_HOME="+r.file("pre-commit"))
}
