package repair

import (
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Where a patch for many stands in the way of another repair, and all single repairs leave
// less behind, these are made.
func TestRunWithoutCentral(t *testing.T) {
	release := func(name, more string) string {
		return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: " + name + ", namespace: apps}\n" +
			"spec:\n  interval: 1h\n  chartRef: {kind: OCIRepository, name: x}\n" + more
	}
	kustomization := func(name, path string) string {
		return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: " + name + ", namespace: flux-system}\n" +
			"spec:\n  interval: 10m\n  prune: true\n  path: " + path + "\n  sourceRef: {kind: GitRepository, name: flux-system}\n"
	}
	dir := folderWith(t, map[string]string{
		"clusters/production/flux-system/gotk-sync.yaml": kustomization("flux-system", "./clusters/production"),
		"clusters/production/apps.yaml":                  kustomization("apps", "./apps"),
		"apps/a.yaml":                                    release("a", ""),
		"apps/b.yaml":                                    release("b", ""),
		"apps/z.yaml":                                    release("z", "  install: {strategy: {name: RetryOnFailure}}\n  upgrade: {strategy: {name: RetryOnFailure}, preserveValues: true}\n"),
	})
	for standsInTheWay, want := range map[bool]int{false: 1, true: 0} {
		f := repairerOf(t, newEngine(t), &rules.Config{}, dir, []string{"central", "unsafe"}, nil, func(*effective.Release) {})
		z := slices.IndexFunc(f.state.Releases, func(r judge.Release) bool { return r.Name == "z" })
		look, before := f.look, f.state.Releases[z].Verdict
		f.look = func(changes map[string][]byte) (judge.State, error) {
			state, err := look(changes)
			for file, data := range changes {
				if standsInTheWay && strings.HasSuffix(file, "clusters/production/apps.yaml") && strings.Contains(string(data), "patches:") {
					state.Releases[z].Verdict = before
				}
			}
			return state, err
		}
		f.before.look = f.look
		if err := f.Run(); err != nil {
			t.Fatal(err)
		}
		central := 0
		for _, m := range f.made {
			if m.central != nil {
				central++
			}
		}
		if central != want || len(f.state.Releases[z].Verdict.Findings) >= len(before.Findings) || compareFindings(f.state, f.before.state) >= 0 {
			t.Errorf("in the way %v: %d patches for many, want %d; %v are left", standsInTheWay, central, want, countFindings(f.state))
		}
	}
}
