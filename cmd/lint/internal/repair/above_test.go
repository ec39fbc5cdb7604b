package repair

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// entry is that of a cluster whose Kustomizations are in above.yaml.
const entry = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {url: ssh://git@example.com/fleet, ref: {branch: main}, interval: 1m}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 10m, path: ./clusters/prod, prune: true, sourceRef: {kind: GitRepository, name: fleet}}
`

// TestFixOfKustomizations repairs the Kustomizations beside the bad.yaml of every rule that offers a
// repair of what applies the release: they become those beside good.yaml byte for byte.
func TestFixOfKustomizations(t *testing.T) {
	engine := newEngine(t)
	repaired := 0
	for _, rule := range engine.Rules() {
		folder := filepath.Join("../../../../policies/rules", rule.Category, rule.ID)
		above, err := os.ReadFile(filepath.Join(folder, "bad.alerts.yaml"))
		if err != nil || !bytes.Contains(above, []byte("kind: Kustomization")) {
			continue
		}
		t.Run(rule.ID, func(t *testing.T) {
			dir := t.TempDir()
			for name, data := range map[string][]byte{
				"clusters/prod/flux-system/gotk-sync.yaml": []byte(entry), "clusters/prod/above.yaml": above,
				"infra/release.yaml": readFile(t, filepath.Join(folder, "bad.yaml")),
				"apps/app.yaml":      []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app, namespace: apps}\n"),
			} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
					t.Fatal(err)
				}
				writeFile(t, filepath.Join(dir, name), data)
			}
			f := repairerOf(t, engine, &rules.Config{}, dir, []string{"unsafe"}, nil, func(*effective.Release) {})
			selected, err := judge.Select(engine, []string{rule.ID}, nil)
			if err != nil {
				t.Fatal(err)
			}
			f.planner.Rules = selected
			of := func(found target) bool {
				return found.finding.Rule == rule.ID && found.finding.Fix != nil && !found.finding.Fix.OfRelease()
			}
			if !slices.ContainsFunc(f.state.Releases, func(r judge.Release) bool { return slices.ContainsFunc(targetsOf(r), of) }) {
				return
			}
			repaired++
			before := f.state
			repairAll(t, f)
			checkLaws(t, before, f)
			want := readFile(t, filepath.Join(folder, "good.alerts.yaml"))
			if got := readFile(t, filepath.Join(dir, "clusters/prod/above.yaml")); !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s\nrefused %v", got, want, f.planner.refused)
			}
		})
	}
	if repaired < 3 {
		t.Errorf("only %d rules offer a repair", repaired)
	}
}
