package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFixLarge holds that a file of a large tree is repaired, and told of, although it is not
// as it was read.
func TestFixLarge(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"aaa/1.yaml": largeObject(), "aaa/2.yaml": largeObject(), // are read first
		"clusters/production/apps.yaml": largeApps, "apps/release.yaml": largeRelease,
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"lint", "--fix", dir}, streams{in: strings.NewReader(""), out: &out, err: &errs})
	if code != exitOK || !strings.Contains(errs.String(), "fixed in 1 file") {
		t.Errorf("exit %d\n%s\n%s", code, &out, &errs)
	}
}

// largeObject is more than half of what is kept of the files of a tree.
func largeObject() string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: large}\ndata:\n  text: |\n" +
		strings.Repeat("    "+strings.Repeat("x", 90)+"\n", 30_000)
}

const largeApps = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  patches:
    - patch: |
        - {op: add, path: /spec/timeout, value: 7m}
      target: {kind: HelmRelease}
`

const largeRelease = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app, namespace: apps}
spec:
  interval: 10m
  chart:
    spec:
      chart: app
      version: 1.2.3
      sourceRef: {kind: HelmRepository, name: r}
  timeout: 1h
  values:
    text: "é"
`
