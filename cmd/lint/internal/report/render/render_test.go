package render_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report/render"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

const manifest = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: %s, namespace: apps}
spec:
  interval: 10m
  chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts}}}
  upgrade: {remediation: {retries: 3}}
  values: {password: hunter2}
---
`

// releases are apps/web and apps/db, as they are written in a file.
func releases(t *testing.T) []*effective.Release {
	t.Helper()
	files := tree.Bytes("releases.yaml", []byte(fmt.Sprintf(manifest, "web")+fmt.Sprintf(manifest, "db")))
	loaded, err := effective.Load(t.Context(), effective.Options{
		Config: &rules.Config{}, Builder: build.NewBuilder(), Inputs: []effective.Input{{Files: files, AsWritten: true}},
	})
	if err != nil || len(loaded.Releases) != 2 {
		t.Fatalf("%d releases, %v", len(loaded.Releases), err)
	}
	return loaded.Releases
}

func TestChosen(t *testing.T) {
	for glob, want := range map[string]int{"": 2, "web": 1, "apps/*": 2, "apps/d?": 1, "*": 2, "other/*": 0, "pps/web": 0} {
		if got := render.Chosen(releases(t), glob); len(got) != want {
			t.Errorf("%q chooses %d releases, want %d", glob, len(got), want)
		}
	}
}

// TestAll: a release is printed with the place of each failure setting, a field with all that sets it, and values only
// for who asks for secrets.
func TestAll(t *testing.T) {
	retries := release.Path{"spec", "upgrade", "remediation", "retries"}
	password := release.Path{"spec", "values", "password"}
	for _, tc := range []struct {
		format  string
		field   release.Path
		secrets bool
		want    string
	}{
		{"yaml", nil, false, "retries: 3 # releases.yaml:7"},
		{"yaml", nil, false, "password: (hidden)"},
		{"yaml", nil, true, "password: hunter2"},
		{"json", nil, false, `"password": "(hidden)"`},
		{"text", retries, false, "spec.upgrade.remediation.retries = 3\n    releases.yaml:7"},
		{"json", password, false, `"(hidden)"`},
		{"text", password, true, "= hunter2"},
	} {
		var out bytes.Buffer
		if err := render.All(&out, tc.format, render.Chosen(releases(t), "web"), tc.field, tc.secrets); err != nil || !strings.Contains(out.String(), tc.want) {
			t.Errorf("%s of %s: %v, got\n%s\nwant %q", tc.format, tc.field, err, out.String(), tc.want)
		}
		if !tc.secrets && strings.Contains(out.String(), "hunter2") {
			t.Errorf("%s of %s has a value:\n%s", tc.format, tc.field, out.String())
		}
	}
	misspelt := release.Path{"spec", "upgrade", "remediation", "retrys"}
	if err := render.All(&bytes.Buffer{}, "text", releases(t), misspelt, false); err == nil || !strings.Contains(err.Error(), "did you mean spec.upgrade.remediation.retries?") {
		t.Errorf("%s: %v", misspelt, err)
	}
}
