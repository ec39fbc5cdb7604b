package predict_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline/predict"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/rules"
)

const manifests = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: apps}
spec: {interval: 10m, chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts}}}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: refused, namespace: apps}
spec: {interval: soon}
`

func side(t *testing.T, name, text string) predict.Side {
	t.Helper()
	return predict.Side{Name: name, Read: func() (*effective.Tree, error) {
		files := tree.Bytes(name, []byte(text))
		return effective.Load(t.Context(), effective.Options{
			Config: &rules.Config{}, Builder: build.NewBuilder(), Inputs: []effective.Input{{Files: files, AsWritten: true}},
		})
	}}
}

func options() predict.Options {
	return predict.Options{Format: "text", Scenarios: []string{"upgrade-fails"}, Run: forecast.Options{MaxSteps: 12}}
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(*predict.Options){
		"":                         func(*predict.Options) {},
		"-o sarif: unknown format": func(o *predict.Options) { o.Format = "sarif" },
		"no valid glob":            func(o *predict.Options) { o.Release = "[" },
		"--max-steps 0: want 1":    func(o *predict.Options) { o.Run.MaxSteps = 0 },
		"cannot be negative":       func(o *predict.Options) { o.Run.FailAfter = -1 },
		"--scenario: ":             func(o *predict.Options) { o.Scenarios = []string{"nothing-fails"} },
		"--then: ":                 func(o *predict.Options) { o.Then = []string{"nothing"} },
	} {
		o := options()
		change(&o)
		if err := o.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestReport: what is asked for is forecast or said not to be, and nothing else.
func TestReport(t *testing.T) {
	loaded, err := side(t, "apps.yaml", manifests+"---\n a: b\nc\n").Read()
	if err != nil {
		t.Fatal(err)
	}
	for glob, want := range map[string][3]int{"": {1, 1, 2}, "web": {1, 0, 1}, "apps/ref*": {0, 1, 1}, "other": {0, 0, 0}} {
		o := options()
		o.Release = glob
		report, found, err := o.Report(loaded)
		if got := [3]int{len(report.Forecasts), len(report.Undetermined), found}; err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", glob, got, err, want)
		}
		if !strings.Contains(strings.Join(report.Remarks, "\n"), "apps.yaml") {
			t.Errorf("%q does not say what cannot be read: %q", glob, report.Remarks)
		}
	}
}

// TestWrite: two sides are compared, and none is passed over that cannot be read or has nothing.
func TestWrite(t *testing.T) {
	was, now := side(t, "was", manifests), side(t, "now", strings.Replace(manifests, "interval: 10m", "interval: 10m, upgrade: {remediation: {retries: -1}}", 1))
	var out bytes.Buffer
	if err := options().Write(&out, timeline.Options{}, was, now); err != nil || !strings.Contains(out.String(), "apps/web") {
		t.Errorf("%v\n%s", err, out.String())
	}
	broken := side(t, "broken", manifests+"---\n a: b\nc\n")
	if err := options().Write(&out, timeline.Options{}, broken); !errors.Is(err, predict.ErrUnread) {
		t.Errorf("one side that cannot be read: %v", err)
	}
	if err := options().Write(&out, timeline.Options{}, was, broken); err == nil || !strings.Contains(err.Error(), "read broken:") {
		t.Errorf("a comparison with what cannot be read: %v", err)
	}
	if err := options().Write(&out, timeline.Options{}, side(t, "empty", "")); !errors.Is(err, predict.ErrNothing) {
		t.Errorf("nothing to forecast: %v", err)
	}
}
