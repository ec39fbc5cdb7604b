package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFixLarge holds that the files of a large tree are repaired, and told of, although they
// are not as they were read.
func TestFixLarge(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("0.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: large}\ndata:\n  text: |\n"+strings.Repeat("    "+strings.Repeat("x", 90)+"\n", 30_000))
	write("1.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: large}\ndata:\n  text: |\n"+strings.Repeat("    "+strings.Repeat("y", 90)+"\n", 30_000))
	for _, name := range []string{"a", "b"} {
		write(name+".yaml", strings.ReplaceAll(largeRelease, "NAME", name))
	}
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"lint", "--fix", dir}, streams{in: strings.NewReader(""), out: &out, err: &errs})
	if code != exitOK && code != exitFindings || !strings.Contains(errs.String(), "fixed in 2 files") {
		t.Errorf("exit %d\n%s\n%s", code, &out, &errs)
	}
}

const largeRelease = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: NAME
  namespace: apps
spec:
  interval: 10m
  install: {remediation: {retries: -1}}
  upgrade:
    remediation:
      retries: 3
      remediateLastFailure: false # by intent
  chart:
    spec:
      chart: app
      version: 1.2.3
      sourceRef: {kind: HelmRepository, name: r}
`
