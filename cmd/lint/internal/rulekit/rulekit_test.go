package rulekit_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestNew: a rule that is started holds its own tests and can be explained, and one whose example says something
// else does not hold them.
func TestNew(t *testing.T) {
	dir := t.TempDir()
	if err := rulekit.New(t.Context(), io.Discard, dir, "visibility/no-team"); err != nil {
		t.Fatal(err)
	}
	test := func() (bool, string) {
		var out bytes.Buffer
		held, err := rulekit.Test(t.Context(), &out, rulekit.TestOptions{Folders: []string{dir}, Format: "text"})
		if err != nil {
			t.Fatal(err)
		}
		return held, out.String()
	}
	if held, out := test(); !held {
		t.Errorf("what was started does not hold:\n%s", out)
	}
	bad := filepath.Join(dir, "visibility/no-team/bad.yaml")
	var out bytes.Buffer
	question := rulekit.Question{Rule: "no-team", Folders: []string{dir}, Input: bad, Format: "text"}
	if err := rulekit.Explain(t.Context(), nil, &out, question); err != nil || !strings.Contains(out.String(), "It reports metadata.annotations") {
		t.Errorf("%v\n%s", err, out.String())
	}
	good, err := os.ReadFile(filepath.Join(dir, "visibility/no-team/good.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, good, 0o644); err != nil {
		t.Fatal(err)
	}
	if held, out := test(); held || !strings.Contains(out, "bad.yaml") {
		t.Errorf("an example without its finding holds:\n%s", out)
	}
}

// TestNewRefuses: no name is taken twice, none leads elsewhere, and nothing is written over.
func TestNewRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "api")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "timing/mine"), 0o755); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"no-team": "want CATEGORY/NAME", "visibility/No_Team": "want CATEGORY/NAME", "../up/name": "want CATEGORY/NAME", "visibility/doc": "is a command of",
		"visibility/blind-wait": "there is a rule blind-wait", "visibility/timing": "is a category", "api/mine": "is a link", "timing/mine": "exists",
	} {
		if err := rulekit.New(t.Context(), io.Discard, dir, id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", id, err, want)
		}
	}
}

// TestURL: built-in rules have a page at an address, others one that is made of their METADATA.
func TestURL(t *testing.T) {
	builtIn, own := rules.Rule{ID: "blind-wait", Category: "visibility"}, rules.Rule{ID: "no-team", Category: "visibility", Title: "No team", Description: "Nobody is told."}
	const pages = "https://example.com/rules/"
	if got := rulekit.URL(pages, builtIn); got != pages+"visibility/blind-wait/README.md" {
		t.Errorf("the page is at %q", got)
	}
	if got := rulekit.URL(pages, own) + rulekit.URL("", builtIn); got != "" {
		t.Errorf("a page is at %q", got)
	}
	if page := rulekit.Page(own); page != "# No team\n\nNobody is told." {
		t.Errorf("%q", page)
	}
	if page := rulekit.Page(builtIn); !strings.HasPrefix(strings.TrimSpace(page), "# ") || strings.Contains(page, "<!--") {
		t.Errorf("the page begins with %.60q", page)
	}
}
