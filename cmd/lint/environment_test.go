package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestVariablesAreDocumented: the table of docs/ci.md has each flag of lint and diff with its variable and keys
// that there are, and names the others.
func TestVariablesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `--([a-z-]+)` \\| (?:`spec\\.([A-Za-z.]+)` )?\\| `([A-Z_]+)` \\|$").FindAllStringSubmatch(string(page), -1) {
		documented[row[1]] = row[3]
		if last := row[2][strings.LastIndexByte(row[2], '.')+1:]; last != "" && !bytes.Contains(rules.ConfigSchema(), []byte(`"`+last+`": {`)) {
			t.Errorf("--%s: the configuration has no spec.%s", row[1], row[2])
		}
	}
	alone := regexp.MustCompile(`(?s)On the command line alone are.*?\n\n`).FindString(string(page))
	for _, cmd := range []*cobra.Command{newLint(streams{}), newDiff(streams{})} {
		newRoot(streams{}).AddCommand(cmd)
		cmd.InitDefaultHelpFlag()
		check := func(f *pflag.Flag) {
			listed := strings.Contains(alone, "`--"+f.Name+"`")
			if got, want := documented[f.Name], usage.Variable(f.Name); got != want || listed != (want == "") {
				t.Errorf("--%s: the page says %q, and that it has none: %v; it is %q", f.Name, got, listed, want)
			}
		}
		cmd.Flags().VisitAll(check)
		cmd.InheritedFlags().VisitAll(check)
	}
}

// TestVariables sets each environment variable: it does what its flag does, and the flag wins where both are set.
func TestVariables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"tree/clusters/production/sync.yaml": syncOf("production"), "tree/clusters/staging/sync.yaml": syncOf("staging"),
		"tree/apps/shop.yaml": releaseNamed("shop", ""), "tree/left/left.yaml": releaseNamed("left", ""),
		"tree/apps/old.yaml": releaseNamed("old", "  annotations: {waive.flux-remedy.io/no-recovery: 2999-01-01 goes away}\n"),
		"config.yaml":        "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec: {rules: {no-recovery: {severity: info}}}\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, file, text)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for flag, value := range map[string]string{
		"config": at("config.yaml"), "policy": at("gone"), "bundle": at("gone"), "verify-key": at("gone"), "timeout": "soon", "max-memory": "1",
		"cluster": "staging", "source": "a/b/c=" + at("gone"), "charts": at("gone"), "rendered": at("gone"), "unapplied": "true",
		"select": "slow-recovery", "ignore": "no-recovery", "output": "counts", "min-severity": "none", "fail-on": "off", "strict": "true",
		"new-from": "gone", "baseline": at("gone"), "base": "gone", "fail-on-inherited": "maybe", "allow-policy-change": "maybe", "disallow-waivers": "true",
	} {
		args := []string{"lint", at("tree"), "--fail-on=off"}
		switch flag {
		case "base", "allow-policy-change":
			args[0] = "diff"
		case "fail-on":
			args = args[:2]
		}
		plain := ended(t, nil, args...)
		flagged := ended(t, nil, append(args, "--"+flag+"="+value)...)
		variable := ended(t, []string{usage.Variable(flag) + "=" + value}, args...)
		variable = strings.ReplaceAll(variable, usage.Variable(flag)+"="+value, "--"+flag+" "+value)
		if variable == plain && flag != "base" || variable != flagged { // there is no repository here
			t.Errorf("%s=%s gives\n%s--%s gives\n%swithout\n%s", usage.Variable(flag), value, variable, flag, flagged, plain)
		}
		if over := ended(t, []string{usage.Variable(flag) + "=other"}, append(args, "--"+flag+"="+value)...); over != flagged {
			t.Errorf("%s=other over --%s gives\n%swant\n%s", usage.Variable(flag), flag, over, flagged)
		}
	}
	misspelt := ended(t, []string{"FLUX_REMEDY_STRCT=true"}, "lint", at("tree"))
	if !strings.Contains(misspelt, "FLUX_REMEDY_STRCT is no variable of this program; did you mean FLUX_REMEDY_STRICT?") {
		t.Error(misspelt)
	}
	if got := ended(t, []string{"FLUX_REMEDY_BASELINE=gone"}, "lint", at("tree"), "--write-baseline="+at("known.yaml")); strings.Contains(got, "exclude") {
		t.Error(got)
	}
}

func ended(t *testing.T, environ []string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	code := run(t.Context(), slices.Clone(args), streams{in: strings.NewReader(""), out: &out, err: &out, environ: environ})
	return out.String() + "exit code " + string(rune('0'+code)) + "\n"
}

func syncOf(cluster string) string {
	return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: " + cluster + ", namespace: flux-system}\n" +
		"spec: {interval: 1h, path: ./apps, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}\n"
}

func releaseNamed(name, annotations string) string {
	return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: " + name + "\n  namespace: apps\n" + annotations +
		"spec: {interval: 1h, timeout: 10m, chartRef: {kind: OCIRepository, name: shop}}\n"
}
