package hack_test

import (
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/flux-remedy/remedy/"

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
		{pkg: "cmd/lint/internal/tree/git", only: []string{}, never: []string{"k8s.io/", "sigs.k8s.io/", "github.com/fluxcd/", "net/http", "crypto/tls", "os/exec", "golang.org/x/crypto/"}, reason: "a repository is read from its objects alone"},
		{pkg: "cmd/lint/internal/tree", only: []string{"cmd/lint/internal/tree/git"}, never: []string{"k8s.io/", "net/http", "crypto/tls", "os/exec", "golang.org/x/crypto/"}, reason: "a tree is read from files and objects alone"},
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
