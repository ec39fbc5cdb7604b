// Package hack contains what building and testing need and the programs do not.
// Its tests check the layout of the repository.
package hack

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/flux-remedy/remedy/"

// commandLine are the libraries that only package main of a program, and usage, know. pflag is
// not among them: fleet/controllers reads the arguments of controllers with it, as they do.
var commandLine = []string{"github.com/spf13/cobra"}

// internal names packages that are internal to the linter.
func internal(names ...string) []string {
	var out []string
	for _, name := range names {
		out = append(out, module+"cmd/lint/internal/"+name)
	}
	return out
}

// below returns what a package of the linter that judges nothing may import: the
// named ones and what is known of one release.
func below(names ...string) []string {
	out := []string{"pkg/release", "pkg/loss", "cmd/lint/internal/tree/git"}
	for _, name := range names {
		out = append(out, "cmd/lint/internal/"+name)
		if name == "build" {
			out = append(out, below("build/compose", "build/kustomize", "build/resource", "build/variables")...)
		}
	}
	return out
}

// TestImports checks who imports whom, as CONTRIBUTING.md says.
func TestImports(t *testing.T) {
	all := dependencies(t)
	for _, rule := range []struct {
		pkg    string
		never  []string // prefixes of packages that must not be among its dependencies
		only   []string // the module's own packages that may be
		reason string
	}{
		{pkg: "policies", only: []string{}, reason: "policies are data"},
		{pkg: "pkg/loss", only: []string{}, never: []string{"k8s.io/", "helm.sh/"}, reason: "what is lost is known from objects alone"},
		{pkg: "pkg/release", only: []string{"pkg/loss"}, never: []string{"github.com/open-policy-agent/opa"}, reason: "a release is known without policies"},
		{pkg: "pkg/rules", only: []string{"pkg/rules", "pkg/release", "pkg/loss"}, never: []string{"k8s.io/client-go", "sigs.k8s.io/controller-runtime/pkg/client"}, reason: "rules know no cluster"},
		{pkg: "pkg/bundle", only: []string{"pkg/rules", "pkg/release", "pkg/loss", "policies"}, never: append([]string{"k8s.io/client-go", "github.com/google/go-containerregistry"}, commandLine...), reason: "a bundle is read from files alone"},
		{pkg: "pkg/alert", only: []string{"pkg/release", "pkg/loss"}, never: []string{"github.com/open-policy-agent/opa"}, reason: "who is told is known without policies"},
		{pkg: "pkg/forecast", only: []string{"pkg/forecast", "pkg/release", "pkg/loss"}, never: []string{"github.com/open-policy-agent/opa"}, reason: "the forecast is pure"},
		{pkg: "cmd/lint/internal/tree/git", only: []string{}, never: []string{"k8s.io/", "sigs.k8s.io/", "github.com/fluxcd/helm-controller", "github.com/fluxcd/pkg/kustomize", "net/http", "crypto/tls", "os/exec", "golang.org/x/crypto/"}, reason: "a repository is read from its objects alone"},
		{pkg: "cmd/lint/internal/tree", only: []string{"cmd/lint/internal/tree/git"}, never: []string{"k8s.io/", "net/http", "crypto/tls", "os/exec", "golang.org/x/crypto/"}, reason: "a tree is read from files and objects alone"},
		{pkg: "cmd/lint/internal/yamledit", only: []string{}, never: []string{"k8s.io/", "github.com/fluxcd/"}, reason: "yamledit knows only YAML"},
		{pkg: "cmd/lint/internal/object", only: below("yamledit"), never: []string{"sigs.k8s.io/kustomize"}, reason: "an object is known without files and builds"},
		{pkg: "cmd/lint/internal/trace", only: below("yamledit", "object"), never: []string{"sigs.k8s.io/kustomize"}, reason: "shadows are carried by any build"},
		{pkg: "cmd/lint/internal/cores", only: []string{}, never: []string{"k8s.io/"}, reason: "cores do whatever it is"},
		{pkg: "cmd/lint/internal/files", only: []string{}, reason: "files are written whatever is in them"},
		{pkg: "cmd/lint/internal/limits", only: []string{"cmd/lint/internal/terminal/plain"}, reason: "any process can be watched"},
		{pkg: "cmd/lint/internal/sandbox", only: below("yamledit", "object", "trace", "limits", "terminal/plain"), never: []string{"sigs.k8s.io/kustomize", "k8s.io/client-go"}, reason: "a template is rendered without files"},
		{pkg: "cmd/lint/internal/build/variables", only: below("yamledit", "object"), never: []string{"sigs.k8s.io/kustomize", "github.com/fluxcd/pkg/kustomize"}, reason: "variables are substituted in texts, whatever they are of"},
		{pkg: "cmd/lint/internal/build/resource", only: append(below("yamledit", "object", "trace", "build/variables"), "internal/crd"), never: []string{"k8s.io/client-go"}, reason: "an object is known without files and folders"},
		{pkg: "cmd/lint/internal/build/kustomize", only: below("cores", "yamledit", "object", "trace", "tree"), never: []string{"k8s.io/client-go", "github.com/fluxcd/pkg/kustomize"}, reason: "kustomize runs on files in memory, whatever they are"},
		{pkg: "cmd/lint/internal/build/compose", only: append(below("cores", "yamledit", "object", "trace", "tree", "build/variables", "build/resource", "build/kustomize"), "internal/crd"), never: []string{"k8s.io/client-go"}, reason: "a build is composed of values: a result comes out, or why kustomize must build"},
		{pkg: "cmd/lint/internal/build", only: append(below("cores", "yamledit", "object", "trace", "tree", "limits", "sandbox", "terminal/plain", "build"), "internal/crd"), never: []string{"k8s.io/client-go", "github.com/fluxcd/pkg/kustomize"}, reason: "a build knows no clusters, and reads nothing but its source"},
		{pkg: "cmd/lint/internal/charts", only: below("yamledit", "object"), never: []string{"helm.sh/", "sigs.k8s.io/kustomize", "k8s.io/client-go"}, reason: "charts are found here and rendered in another process"},
		{pkg: "cmd/lint/internal/fleet/controllers", only: append(below("cores", "yamledit", "object", "trace", "tree", "limits", "sandbox", "terminal/plain", "build"), "internal/crd"), reason: "what an object installs is known without a cluster"},
		{pkg: "cmd/lint/internal/fleet/presence", only: append(below("cores", "yamledit", "object", "trace", "tree", "limits", "sandbox", "terminal/plain", "build"), "internal/crd"), reason: "what an object says of itself is known without a cluster"},
		{pkg: "cmd/lint/internal/fleet/manifests", only: append(below("cores", "yamledit", "object", "trace", "tree", "limits", "sandbox", "terminal/plain", "build"), "internal/crd"), reason: "what is written is known without clusters"},
		{pkg: "cmd/lint/internal/fleet/sources", only: append(below("cores", "yamledit", "object", "trace", "tree", "limits", "sandbox", "terminal/plain", "build", "fleet/manifests"), "internal/crd"), reason: "a source is made without clusters"},
		{pkg: "cmd/lint/internal/fleet/entries", only: append(below("cores", "yamledit", "object", "trace", "tree", "limits", "sandbox", "terminal/plain", "build", "fleet/controllers", "fleet/presence", "fleet/manifests", "fleet/sources"), "internal/crd"), reason: "clusters are found before anything is walked"},
		{pkg: "cmd/lint/internal/fleet", only: append(below("cores", "yamledit", "object", "trace", "tree", "limits", "sandbox", "terminal/plain", "build", "fleet/controllers", "fleet/presence", "fleet/manifests", "fleet/sources", "fleet/entries"), "internal/crd"), reason: "clusters are found without rules"},
		{pkg: "cmd/lint/internal/report", only: []string{"cmd/lint/internal/report", "cmd/lint/internal/document", "cmd/lint/internal/files", "cmd/lint/internal/terminal/plain", "cmd/lint/internal/terminal/words", "pkg/release", "pkg/loss", "pkg/rules", "pkg/forecast"}, reason: "report knows findings and nothing else"},
		{pkg: "cmd/lint/internal/timeline", only: []string{"cmd/lint/internal/timeline", "cmd/lint/internal/document", "cmd/lint/internal/terminal/plain", "cmd/lint/internal/terminal/words", "pkg/release", "pkg/loss", "pkg/rules", "pkg/forecast", "pkg/forecast/wave"}, reason: "timeline knows forecasts and nothing else"},
		{pkg: "cmd/lint/internal/terminal/plain", only: []string{}, reason: "plain knows only text"},
		{pkg: "cmd/lint/internal/terminal/words", only: []string{}, reason: "words counts and lists whatever it is"},
		{pkg: "cmd/lint/internal/document", only: []string{"cmd/lint/internal/terminal/plain", "cmd/lint/internal/terminal/words"}, reason: "document knows what reports are made of, and none of them"},
		{pkg: "cmd/lint/internal/terminal", only: []string{"cmd/lint/internal/terminal/plain"}, reason: "terminal knows only terminals"},
		{pkg: "cmd/lint/internal/usage", only: []string{}, reason: "usage knows only command lines"},
		{pkg: "cmd/lint/internal/effective/metrics", never: append(internal("fleet", "effective"), module+"pkg/rules"), reason: "rules on metrics are read without clusters"},
		{pkg: "cmd/lint/internal/effective/estate", never: internal("effective/metrics", "judge"), reason: "what a cluster works on is known without where it is written"},
		{pkg: "cmd/lint/internal/effective", never: internal("report", "judge", "repair", "report/render", "timeline"), reason: "releases do not depend on how they are judged and reported"},
		{pkg: "cmd/lint/internal/timeline/predict", never: append(internal("report", "judge", "repair", "report/render"), commandLine...), reason: "forecasting knows no findings and no command line"},
		{pkg: "cmd/lint/internal/cluster/printed", only: []string{"cmd/lint/internal/yamledit"}, never: []string{"k8s.io/"}, reason: "what kubectl prints is text"},
		{pkg: "cmd/lint/internal/cluster/incident", never: append(internal("repair", "report/render", "timeline"), "github.com/spf13/cobra", "k8s.io/client-go"), reason: "an incident is read from files, and no cluster"},
		{pkg: "cmd/lint/internal/cluster/standstill", only: []string{"cmd/lint/internal/terminal/words", "pkg/forecast", "pkg/forecast/wave", "pkg/release", "pkg/loss"}, reason: "what holds up what is known from statuses alone"},
		{pkg: "cmd/lint/internal/cluster/overview", never: append(internal("repair", "report/render", "timeline", "cluster/live", "cluster/audit"), "github.com/spf13/cobra", "k8s.io/client-go"), reason: "an overview asks no cluster"},
		{pkg: "cmd/lint/internal/cluster/policyreport", never: append(internal("repair", "report/render", "timeline", "cluster/audit"), "github.com/spf13/cobra"), reason: "reports are made of an overview"},
		{pkg: "cmd/lint/internal/cluster/audit", never: append(internal("repair", "report/render", "timeline"), "github.com/spf13/cobra"), reason: "an audit is made without a command line"},
		{pkg: "cmd/lint/internal/cluster/revive", never: append(internal("repair", "report/render", "timeline"), "github.com/spf13/cobra"), reason: "releases are revived without a command line"},
		{pkg: "cmd/lint/internal/cluster/live", only: []string{"internal/slim", "pkg/release", "pkg/loss"}, never: []string{"github.com/spf13/cobra", "k8s.io/client-go/kubernetes", "k8s.io/client-go/dynamic", "k8s.io/client-go/discovery", "k8s.io/api/"}, reason: "a cluster is read by plain requests, for the sake of a fast start"},
		{pkg: "cmd/lint/internal/report/render", never: append(internal("judge", "repair", "report", "timeline"), commandLine...), reason: "a release is printed unjudged"},
		{pkg: "cmd/lint/internal/vap", only: []string{"pkg/release", "pkg/loss", "pkg/rules", "pkg/forecast"}, never: commandLine, reason: "policies are made of rules and the forecast alone"},
		{pkg: "cmd/lint/internal/rulekit/bundling", never: append(internal("repair", "report/render", "timeline"), "github.com/spf13/cobra"), reason: "bundles are built without a command line"},
		{pkg: "cmd/lint/internal/rulekit/registry", only: []string{"cmd/lint/internal/cluster/live", "internal/slim", "pkg/bundle", "pkg/release", "pkg/loss", "pkg/rules", "policies"}, never: []string{"github.com/spf13/cobra"}, reason: "registries know no trees"},
		{pkg: "cmd/lint/internal/judge", never: append(internal("repair", "report/render", "timeline"), commandLine...), reason: "judging knows no files and no command line"},
		{pkg: "cmd/lint/internal/judge/policy", never: append(internal("repair", "report/render", "timeline"), commandLine...), reason: "policies are compared as judge judges"},
		{pkg: "cmd/lint/internal/load", never: append(internal("repair", "report/render", "timeline"), commandLine...), reason: "what is judged is read without a command line"},
		{pkg: "cmd/lint/internal/editor", never: append(internal("repair", "load", "timeline"), commandLine...), reason: "an editor is answered from what was judged"},
		{pkg: "cmd/lint/internal/repair/draft", never: append(internal("judge", "load", "report/render", "timeline"), commandLine...), reason: "files are edited without findings"},
		{pkg: "cmd/lint/internal/repair", never: append(internal("report/render", "timeline"), commandLine...), reason: "repairing knows no command line"},
		{pkg: "cmd/lint", never: []string{"sigs.k8s.io/controller-runtime/pkg/webhook", "sigs.k8s.io/controller-runtime/pkg/manager"}, reason: "the linter runs in pre-commit"},
		{pkg: "cmd/lint/internal/rulekit", never: append(internal("repair", "report/render", "timeline"), "github.com/spf13/cobra"), reason: "rules are shown and written without a command line"},
		{pkg: "internal/ruletest", only: []string{"internal/crd", "pkg/alert", "pkg/forecast", "pkg/forecast/wave", "pkg/release", "pkg/loss", "pkg/rules"}, never: commandLine, reason: "rules are tested as files, without clusters and trees"},
		{pkg: "internal/crd", only: []string{"pkg/release", "pkg/loss"}, never: []string{"github.com/open-policy-agent/opa", "k8s.io/client-go"}, reason: "a definition is known without files and policies"},
		{pkg: "internal/slim", only: []string{}, never: []string{"k8s.io/"}, reason: "slim knows only JSON"},
		{pkg: "cmd/webhook/internal/admission", only: []string{"internal/slim", "pkg/release", "pkg/loss", "pkg/rules", "pkg/forecast"}, never: []string{"k8s.io/client-go/rest", "sigs.k8s.io/controller-runtime/pkg/webhook"}, reason: "a decision knows no server and no cluster"},
		{pkg: "cmd/webhook", never: []string{module + "cmd/lint", "sigs.k8s.io/kustomize"}, reason: "admission judges one object"},
	} {
		deps, ok := all[module+rule.pkg]
		if !ok {
			t.Errorf("there is no package %s", rule.pkg)
		}
		for _, dep := range deps {
			own, isOwn := strings.CutPrefix(dep, module)
			if i := strings.LastIndex(own, "/internal/"); i >= 0 && (strings.HasPrefix(own, "pkg/") || strings.Contains(own[:i], "/internal/")) {
				own = own[:i] // it is a part of that package
			}
			if isOwn && rule.only != nil && own != rule.pkg && !slices.Contains(rule.only, own) {
				t.Errorf("%s imports %s: %s", rule.pkg, own, rule.reason)
			}
			if slices.ContainsFunc(rule.never, func(prefix string) bool { return strings.HasPrefix(dep, prefix) }) {
				t.Errorf("%s imports %s: %s", rule.pkg, dep, rule.reason)
			}
		}
	}
}

// TestRooms holds the picture of CONTRIBUTING.md to the folders of the linter.
func TestRooms(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, picture, _ := strings.Cut(string(text), "## The rooms")
	picture, _, _ = strings.Cut(picture, "\n## ")
	var drawn []string
	for _, m := range regexp.MustCompile(`(?m)^    (\w+) +\S`).FindAllStringSubmatch(picture, -1) {
		drawn = append(drawn, m[1])
	}
	slices.Sort(drawn)
	folders, err := os.ReadDir("../cmd/lint/internal")
	if err != nil {
		t.Fatal(err)
	}
	var rooms []string
	for _, folder := range folders {
		rooms = append(rooms, folder.Name())
	}
	if !slices.Equal(drawn, rooms) {
		t.Errorf("CONTRIBUTING.md draws %v, the rooms are %v", drawn, rooms)
	}
	for _, part := range regexp.MustCompile(`\b(\w+)/`).FindAllStringSubmatch(picture, -1) {
		if found, _ := filepath.Glob("../cmd/lint/internal/*/" + part[1]); len(found) == 0 && !slices.Contains([]string{"cmd", "lint", "internal", "pkg"}, part[1]) {
			t.Errorf("CONTRIBUTING.md draws %s, which is in no room", part[1])
		}
	}
}

// dependencies returns for each package of the module every package that it is built from.
func dependencies(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, line := range list(t, "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./...") {
		pkg, deps, _ := strings.Cut(line, " ")
		out[pkg] = strings.Fields(deps)
	}
	return out
}

// list returns the lines that go list writes in the root of the repository.
func list(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' })
}

// TestRegistries: what judges knows no registries. Only the commands that push and pull do.
func TestRegistries(t *testing.T) {
	const client = "github.com/google/go-containerregistry/"
	for pkg, deps := range dependencies(t) {
		own := strings.TrimPrefix(pkg, module)
		if slices.Contains([]string{"cmd/lint", "cmd/lint/internal/rulekit/bundling", "cmd/lint/internal/rulekit/registry"}, own) {
			continue
		}
		for _, dep := range deps {
			if strings.HasPrefix(dep, client) {
				t.Errorf("%s imports %s: what judges fetches nothing", own, dep)
			}
		}
	}
}

// TestPrograms checks what "go install ./..." installs. pre-commit runs that, and
// .pre-commit-hooks.yaml then runs a program named lint.
func TestPrograms(t *testing.T) {
	programs := list(t, "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`, "./...")
	if want := []string{module + "cmd/lint", module + "cmd/webhook"}; !slices.Equal(programs, want) {
		t.Errorf("go install ./... installs %v, want %v", programs, want)
	}
}
