package audit

import (
	"bytes"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
)

// A terminal gets one screen, unless everything is asked for or it is no terminal.
func TestWhole(t *testing.T) {
	var objects []map[string]any
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		objects = append(objects, stalled("apps", name))
	}
	r := collected(t, "{}", nil, objects...)
	screen := textOf(t, r, Options{Outputs: []string{"text"}, Width: 80, Height: 24})
	whole := textOf(t, r, Options{Outputs: []string{"text"}, Width: 80, Height: 24, Whole: true})
	if piped := textOf(t, r, Options{Outputs: []string{"text"}}); whole != piped || len(screen) >= len(whole) {
		t.Errorf("--all is not everything:\n%s", whole)
	}
}

func textOf(t *testing.T, r overview.Report, o Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := o.Write(&out, r, "", time.Time{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestAppliedBy(t *testing.T) {
	for want, labels := range map[string]map[string]any{
		"Kustomization flux-system/apps": {"kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"},
		"HelmRelease apps/parent":        {"helm.toolkit.fluxcd.io/name": "parent", "helm.toolkit.fluxcd.io/namespace": "apps"},
		"ResourceSet apps/set":           {"resourceset.fluxcd.controlplane.io/name": "set", "resourceset.fluxcd.controlplane.io/namespace": "apps"},
		"":                               {"kustomize.toolkit.fluxcd.io/name": 1},
	} {
		if got := appliedBy(map[string]any{"metadata": map[string]any{"labels": labels}}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := appliedBy(map[string]any{"metadata": "hostile"}); got != "" {
		t.Error(got)
	}
}
