package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// hook is one entry of .pre-commit-hooks.yaml. An unknown field is an error.
type hook struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Description   string   `json:"description"`
	Entry         string   `json:"entry"`
	Language      string   `json:"language"`
	TypesOr       []string `json:"types_or"`
	PassFilenames *bool    `json:"pass_filenames"`
}

// TestHooks runs each hook as pre-commit would, in a repository with an old violation:
// for a commit that adds a good release, then for one that adds a bad release.
func TestHooks(t *testing.T) {
	data, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []hook
	if err := yaml.UnmarshalStrict(data, &hooks); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	t.Chdir(dir)
	goodRelease := strings.Replace(badRelease, "}}\n", "}, install: {strategy: {name: RetryOnFailure}}, upgrade: {strategy: {name: RetryOnFailure}}}\n", 1)
	oldRelease := strings.ReplaceAll(badRelease, "bad", "old")
	write(t, filepath.Join(dir, "old.yaml"), oldRelease)
	runGit(t, "init", "-q", "-b", "main")
	runGit(t, "add", ".")
	runGit(t, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "old")

	want := map[string][2]int{
		"flux-remedy": {exitOK, exitFindings}, "flux-remedy-full": {exitFindings, exitFindings}, "flux-remedy-fix": {exitOK, exitOK},
	}
	for i, release := range []string{goodRelease, badRelease} {
		write(t, filepath.Join(dir, "old.yaml"), oldRelease)
		write(t, filepath.Join(dir, "staged.yaml"), release)
		runGit(t, "add", "staged.yaml")
		for _, h := range hooks {
			if h.Language != "golang" || h.PassFilenames == nil || *h.PassFilenames {
				t.Errorf("%s: language %q, pass_filenames %v: want golang and false", h.ID, h.Language, h.PassFilenames)
			}
			words := strings.Fields(h.Entry)
			var out bytes.Buffer
			code := run(t.Context(), words[1:], streams{in: strings.NewReader(""), out: &out, err: &out})
			if words[0] != "lint" || code != want[h.ID][i] {
				t.Errorf("%s: %q exits with %d, want %d:\n%s", h.ID, h.Entry, code, want[h.ID][i], out.String())
			}
		}
	}
	for _, file := range []string{"old.yaml", "staged.yaml"} {
		if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "RetryOnFailure") {
			t.Errorf("%s is not repaired: %v\n%s", file, err, data)
		}
	}
	if len(hooks) != len(want) {
		t.Errorf("%d hooks, of which %d are tested", len(hooks), len(want))
	}
}

func runGit(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
