package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The problem matcher in docs/editors.md finds every part of each line of compact.
func TestProblemMatcher(t *testing.T) {
	page, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```json\n")
	text, _, _ = strings.Cut(text, "```")
	var tasks struct {
		Tasks []struct {
			Args           []string
			ProblemMatcher []struct {
				Pattern struct {
					Regexp                                      string
					File, Line, Column, Severity, Code, Message int
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &tasks); err != nil || len(tasks.Tasks) != 1 {
		t.Fatalf("%v in %s", err, text)
	}
	task := tasks.Tasks[0]
	pattern, unknown, unreadable := task.ProblemMatcher[0].Pattern, task.ProblemMatcher[1].Pattern, task.ProblemMatcher[2].Pattern
	var out bytes.Buffer
	run(t.Context(), append(task.Args, "../../testdata/demo"), streams{in: strings.NewReader(""), out: &out, err: os.Stderr})
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) < 3 {
		t.Fatalf("too few findings to try it on:\n%s", out.String())
	}
	for _, line := range lines {
		parts := regexp.MustCompile(pattern.Regexp).FindStringSubmatch(line)
		if parts == nil || !strings.HasSuffix(parts[pattern.File], ".yaml") || parts[pattern.Line] == "" || parts[pattern.Column] == "" ||
			parts[pattern.Severity] == "" || !strings.Contains(parts[pattern.Code], "-") || !strings.Contains(parts[pattern.Message], " ") {
			t.Errorf("%q in\n%s", parts, line)
		}
	}
	out.Reset()
	run(t.Context(), append(task.Args, "../../testdata/fleet/no-kustomization"), streams{in: strings.NewReader(""), out: &out, err: os.Stderr})
	for code, file := range map[string]string{"undetermined": "releases.yml", "unapplied": "notes/loose.yaml"} {
		parts := regexp.MustCompile("(?m)" + strings.Replace(unknown.Regexp, "(undetermined|unapplied)", "("+code+")", 1)).FindStringSubmatch(out.String())
		if parts == nil || !strings.HasSuffix(parts[unknown.File], file) || parts[unknown.Line] == "" || parts[unknown.Column] != "1" ||
			parts[unknown.Code] != code || !strings.Contains(parts[unknown.Message], " ") {
			t.Errorf("%q of what is %s in\n%s", parts, code, out.String())
		}
	}
	broken := filepath.Join(t.TempDir(), "broken.yaml")
	if err := os.WriteFile(broken, []byte("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	run(t.Context(), append(task.Args, broken), streams{in: strings.NewReader(""), out: &out, err: os.Stderr})
	parts := regexp.MustCompile("(?m)" + unreadable.Regexp).FindStringSubmatch(out.String())
	if parts == nil || parts[unreadable.File] != broken || parts[unreadable.Line] == "" || parts[unreadable.Column] == "" || parts[unreadable.Message] == "" {
		t.Errorf("%q of what cannot be read in\n%s", parts, out.String())
	}
}

// editorRecipe checks that an editor's configuration starts the server.
func editorRecipe(t *testing.T, text string) {
	t.Helper()
	if !strings.Contains(text, `"flux-remedy"`) || !strings.Contains(text, `"lsp"`) {
		t.Errorf("nothing starts flux-remedy lsp:\n%s", text)
	}
}
