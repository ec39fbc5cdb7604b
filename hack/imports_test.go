package hack_test

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/flux-remedy/remedy/"

// commandLine are the libraries that only package main of a program, and usage, know.
var commandLine = []string{"github.com/spf13/cobra", "github.com/spf13/pflag"}

// internal names packages that are internal to the linter.
func internal(names ...string) []string {
	var out []string
	for _, name := range names {
		out = append(out, module+"cmd/lint/internal/"+name)
	}
	return out
}

// TestImports keeps the packages apart as CONTRIBUTING.md says.
func TestImports(t *testing.T) {
	for _, rule := range []struct {
		pkg    string
		never  []string // prefixes of packages that must not be among its dependencies
		only   []string // the module's own packages that may be
		reason string
	}{
		{pkg: "policies", only: []string{}, reason: "policies are data"},
		{pkg: "pkg/release", only: []string{}, never: []string{"github.com/open-policy-agent/opa"}, reason: "a release is known without policies"},
		{pkg: "pkg/rules", only: []string{"pkg/rules", "pkg/release"}, never: []string{"k8s.io/client-go", "sigs.k8s.io/controller-runtime/pkg/client"}, reason: "rules know no cluster"},
		{pkg: "pkg/forecast", only: []string{"pkg/forecast", "pkg/release"}, never: []string{"github.com/open-policy-agent/opa"}, reason: "the forecast is pure"},
		{pkg: "cmd/lint/internal/yamledit", only: []string{"cmd/lint/internal/yamledit"}, never: []string{"k8s.io/", "github.com/fluxcd/"}, reason: "yamledit knows only YAML"},
		{pkg: "cmd/lint/internal/report", only: []string{"cmd/lint/internal/report", "pkg/release", "pkg/rules", "pkg/forecast"}, reason: "report knows findings and nothing else"},
		{pkg: "cmd/lint/internal/timeline", only: []string{"cmd/lint/internal/timeline", "pkg/release", "pkg/rules", "pkg/forecast"}, reason: "timeline knows forecasts and nothing else"},
		{pkg: "cmd/lint/internal/terminal", only: []string{}, reason: "terminal knows only terminals"},
		{pkg: "cmd/lint/internal/usage", only: []string{}, reason: "usage knows only command lines"},
		{pkg: "cmd/lint/internal/flux", never: internal("report", "judge", "repair", "render", "timeline"), reason: "what is a release does not depend on what is said of it"},
		{pkg: "cmd/lint/internal/render", never: append(internal("judge", "repair", "report", "timeline"), commandLine...), reason: "a release is printed unjudged"},
		{pkg: "cmd/lint/internal/judge", never: append(internal("repair", "render", "timeline"), commandLine...), reason: "judging knows no files and no command line"},
		{pkg: "cmd/lint/internal/repair", never: append(internal("render", "timeline"), commandLine...), reason: "repairing knows no command line"},
		{pkg: "cmd/lint", never: []string{"sigs.k8s.io/controller-runtime/pkg/webhook", "sigs.k8s.io/controller-runtime/pkg/manager"}, reason: "the linter runs in pre-commit"},
		{pkg: "cmd/webhook", never: []string{module + "cmd/lint", "sigs.k8s.io/kustomize"}, reason: "admission judges one object"},
	} {
		for _, dep := range dependencies(t, rule.pkg) {
			own, isOwn := strings.CutPrefix(dep, module)
			if isOwn && rule.only != nil && own != rule.pkg && !slices.Contains(rule.only, own) {
				t.Errorf("%s imports %s: %s", rule.pkg, own, rule.reason)
			}
			if slices.ContainsFunc(rule.never, func(prefix string) bool { return strings.HasPrefix(dep, prefix) }) {
				t.Errorf("%s imports %s: %s", rule.pkg, dep, rule.reason)
			}
		}
	}
}

// dependencies lists every package that a package is built from.
func dependencies(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", module+pkg).Output()
	if err != nil {
		t.Fatalf("go list -deps %s: %v", pkg, err)
	}
	return strings.Fields(string(out))
}

// TestPrograms keeps the names of programs apart: "go install ./...", as
// pre-commit runs it, puts them all into one folder.
func TestPrograms(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`, "../...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, pkg := range strings.Fields(string(out)) {
		if other, taken := seen[path.Base(pkg)]; taken {
			t.Errorf("%s and %s install a program of one name", other, pkg)
		}
		seen[path.Base(pkg)] = pkg
	}
	if seen["lint"] != module+"cmd/lint" {
		t.Errorf("lint, which .pre-commit-hooks.yaml runs, is of %s", seen["lint"])
	}
}
