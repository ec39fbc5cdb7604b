// Package hack contains what building and testing need and the programs do not.
// Its tests check the layout of the repository.
package hack

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/flux-remedy/remedy/"

// TestImports checks who imports whom, as CONTRIBUTING.md says.
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

// dependencies returns every package that a package is built from.
func dependencies(t *testing.T, pkg string) []string {
	t.Helper()
	return list(t, "-deps", "./"+pkg)
}

// list returns what go list writes in the root of the repository.
func list(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return strings.Fields(string(out))
}

// TestPrograms checks what "go install ./..." installs. pre-commit runs that, and
// .pre-commit-hooks.yaml then runs a program named lint.
func TestPrograms(t *testing.T) {
	programs := list(t, "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`, "./...")
	if want := []string{module + "cmd/lint", module + "cmd/webhook"}; !slices.Equal(programs, want) {
		t.Errorf("go install ./... installs %v, want %v", programs, want)
	}
}
