package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const badRelease = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: bad, namespace: apps}
spec: {interval: 1h, timeout: 10m, chartRef: {kind: OCIRepository, name: bad}}
`

// TestHostileInput lints files that no manifest should be like. Each is reported with
// its place and exit code 2, and the file beside it is still judged.
func TestHostileInput(t *testing.T) {
	release := "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
	bomb := release + "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat("*"+string(c-1)+",", 9), ","))
	}
	for name, tc := range map[string]struct{ text, want string }{
		"binary":          {release + "\x00\x01\x02", "odd.yaml"},
		"invalid UTF-8":   {release + "a: \xff\xfe", "odd.yaml"},
		"huge":            {release + strings.Repeat("# filler\n", 50<<20/9), "larger than"},
		"deeply nested":   {release + "a: " + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), "odd.yaml"},
		"deep flow map":   {release + "a: " + strings.Repeat("{a: ", 10_000) + strings.Repeat("}", 10_000), "odd.yaml"},
		"alias bomb":      {bomb, "odd.yaml"},
		"not YAML":        {release + "a: b: c", "odd.yaml:3"},
		"tab indentation": {release + "spec:\n\tinterval: 1h", "odd.yaml:4"},
		"unclosed":        {release + "a: [", "odd.yaml"},
		"duplicate key":   {release + "kind: Other\nspec: {}", "odd.yaml:3"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "odd.yaml"), tc.text)
			write(t, filepath.Join(dir, "bad.yaml"), badRelease)
			code, out := lintDir(t, dir)
			if code != exitFailure || !strings.Contains(out, tc.want) || !strings.Contains(out, "no-recovery") {
				t.Errorf("exit code %d, want 2, %q and the finding in:\n%.2000s", code, tc.want, out)
			}
		})
	}
}

// Values of wrong types are findings at their places, not crashes.
func TestWrongTypesEverywhere(t *testing.T) {
	for name, spec := range map[string]string{
		"scalars":       "{interval: [1], timeout: {a: 1}, install: 1, upgrade: no, test: [], rollback: x, uninstall: 1.5, maxHistory: many}",
		"lists":         "{install: [], upgrade: [1], chart: [], values: 3, valuesFrom: {}, dependsOn: 1}",
		"inner":         "{interval: 1h, install: {remediation: [], strategy: RetryOnFailure}, upgrade: {remediation: {retries: '3', remediateLastFailure: 'yes'}}}",
		"spec a list":   "[]",
		"spec a string": "x",
		"spec null":     "",
		"nulls":         "{interval: null, install: null, upgrade: {remediation: null, strategy: null}}",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "odd.yaml"),
				"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: odd, namespace: apps}\nspec: "+spec+"\n")
			code, out := lintDir(t, dir)
			if code != exitFindings && code != exitFailure && code != exitNothing {
				t.Errorf("exit code %d:\n%s", code, out)
			}
			if !strings.Contains(out, "odd.yaml:") && code != exitNothing {
				t.Errorf("no place in:\n%s", out)
			}
		})
	}
}

func TestSymlinks(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "secret.yaml"), badRelease)
	write(t, filepath.Join(dir, "bad.yaml"), badRelease)
	for link, target := range map[string]string{"out.yaml": filepath.Join(outside, "secret.yaml"), "nowhere.yaml": "missing.yaml"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	code, out := lintDir(t, dir)
	for _, want := range []string{"leads nowhere", "leads out of the tree", "1 release in production", "no-recovery"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in:\n%s", want, out)
		}
	}
	if code != exitFailure {
		t.Errorf("exit code %d, want 2", code)
	}
}

func lintDir(t *testing.T, dir string) (int, string) {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"lint", dir}, streams{in: strings.NewReader(""), out: &out, err: &errs})
	return code, out.String() + errs.String()
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
