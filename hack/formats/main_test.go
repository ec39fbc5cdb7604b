// Package formats checks the linter's reports with the published schemas of their
// formats, and with parsers that others wrote for them.
package formats

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var root = flag.String("root", "../..", "root of the repository")

var program string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "formats-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "flux-remedy")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, "./cmd/lint")
	build.Dir = *root
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// written runs a test on reports in a format: the sample with every field filled,
// reports of trees and, if the format has one, a diff.
func written(t *testing.T, format string, diff bool, test func(t *testing.T, out []byte)) {
	t.Helper()
	each := func(name string, out []byte) { t.Run(name, func(t *testing.T) { test(t, out) }) }
	sample, err := os.ReadFile(filepath.Join(*root, "cmd/lint/internal/report/testdata/sample."+format))
	if err != nil {
		t.Fatal(err)
	}
	each("sample", sample)
	demo, err := filepath.Abs(filepath.Join(*root, "testdata/demo"))
	if err != nil {
		t.Fatal(err)
	}
	repo := repository(t)
	each("demo", run(t, demo, "lint", "-o", format, "--min-severity", "info"))
	each("hostile", run(t, repo, "lint", "-o", format, "--min-severity", "info"))
	if diff {
		each("diff", run(t, repo, "diff", "--base", "HEAD", "-o", format, "--min-severity", "info"))
	}
}

// run returns the standard output of the linter, which may have findings.
func run(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	trouble := said.Len() > 0 && !strings.HasPrefix(said.String(), "flux-remedy: judged by ") && !strings.HasPrefix(said.String(), "flux-remedy: exit code ")
	if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || trouble) {
		t.Fatalf("%s: %v\n%s", cmd, err, said.String())
	}
	return out.Bytes()
}

// evil is text that every format could misread in its own way.
const evil = "<b>x</b>&]]>|@y #1 `c` %0A ::error::x **y** [z](http://e)"

// shown is how a report for people shows it.
var shown = strings.Replace(evil, "::", `:\:`, 1)

const plain = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: apps}
spec:
  interval: 1h
  timeout: 10m
  chartRef: {kind: OCIRepository, name: shop}
`

// hostile has such text wherever a report repeats text of a manifest.
const hostile = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: shop
  namespace: '` + evil + `'
  annotations: {waive.flux-remedy.io/default-timeout: '2999-01-31 ` + evil + `'}
spec:
  interval: 1h
  chart: {spec: {chart: '` + evil + `', sourceRef: {kind: HelmRepository, name: x}}}
  install: {remediation: {retries: 2}} # ` + evil + `
  upgrade: {remediation: {retries: 0, strategy: '` + evil + `'}}
`

// repository returns a repository with a committed release, a deleted one, and
// files whose names a format must quote.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{"apps/shop.yaml": plain, "apps/gone.yaml": strings.Replace(plain, "shop", "gone", 1)})
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "old"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if err := os.Remove(filepath.Join(dir, "apps/gone.yaml")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{
		"apps/a b, 100%#ü.yaml": hostile, "apps/broken.yaml": "kind: HelmRelease\n  apiVersion: helm.toolkit.fluxcd.io/v2\n",
		"apps/unknown.yaml": plain + "  upgrade: {timeout: '${NOBODY}'}\n",
	})
	return dir
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
