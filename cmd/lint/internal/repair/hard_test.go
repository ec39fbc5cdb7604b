package repair

import (
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestFixOfHardTrees repairs trees in which one law would be broken if the planner did not
// see to it, in every way.
func TestFixOfHardTrees(t *testing.T) {
	const retry = "  install: {strategy: {name: RetryOnFailure}}\n  upgrade: {strategy: {name: RetryOnFailure}}\n"
	const bounded = "  install:\n    strategy: {name: RemediateOnFailure}\n    remediation: {retries: 3}\n" +
		"  upgrade:\n    strategy: {name: RemediateOnFailure}\n    remediation: {retries: 3}\n"
	type tree struct {
		patch    string            // of the Kustomization that applies all
		releases map[string]string // what they say of failures, by name
		shared   bool              // one patch for many repairs some of them
	}
	engine := newEngine(t)
	repaired := 0
	for name, tree := range map[string]tree{
		"a patch of what an accepted release does not use": {
			"spec: {upgrade: {remediation: {retries: 50}}}",
			map[string]string{"a": "", "b": retry, "c": ""},
			false,
		},
		"a patch that one release needs and another has been accepted with": {
			"spec: {install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: 3}}}",
			map[string]string{"postgresql": "", "b": "", "c": retry},
			false,
		},
		"settings of its own beside what others do not set": {
			"", map[string]string{"a": "", "b": "", "c": bounded, "d": "  install:\n    remediation: {retries: 3}\n", "e": "  upgrade:\n    disableWait: true\n    remediation: {retries: 9}\n"}, true,
		},
		"a part of what a patch sets for all": {
			"spec: {install: {remediation: {retries: 2}}, upgrade: {remediation: {retries: 2}}}",
			map[string]string{"a": "", "b": "  install:\n    createNamespace: true\n", "c": "  upgrade:\n    cleanupOnFail: true\n", "postgresql": ""},
			false,
		},
		"blanks at the end": {
			"", map[string]string{"a": "  # nothing\n\n", "b": "\n\n", "c": "  upgrade:\n\n    remediation:\n        retries:   -1  # for ever\n\n\n"}, true,
		},
	} {
		dir := t.TempDir()
		put(t, dir, "clusters/production/flux-system/gotk-sync.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: flux-system, namespace: flux-system}\n"+
			"spec: {interval: 1h, prune: true, path: ./clusters/production, sourceRef: {kind: GitRepository, name: flux-system}}\n")
		put(t, dir, "clusters/production/apps.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec:\n"+
			"  interval: 1h\n  prune: true\n  path: ./apps\n  sourceRef: {kind: GitRepository, name: flux-system}\n"+patchesOf(tree.patch, "  ")+"\n\n")
		for release, failures := range tree.releases {
			put(t, dir, "apps/"+release+".yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: "+release+", namespace: shop}\nspec:\n"+
				"  interval: 1h\n  timeout: 10m\n  chartRef: {kind: OCIRepository, name: "+release+"}\n"+failures)
		}
		for _, kinds := range []string{"safe", "unsafe", "central", "central,unsafe"} {
			t.Run(name+"/"+kinds, func(t *testing.T) {
				config := &rules.Config{}
				config.Spec.Controller.Version = release.DefaultControllerVersion
				f := repairerOf(t, engine, config, dir, strings.Split(kinds, ","), nil, func(*effective.Release) {})
				checkFix(t, f.state, f, dir)
				checkAgain(t, f, dir)
				if err := f.files.Restore(); err != nil {
					t.Fatal(err)
				}
				repaired += len(f.made)
				if kinds == "unsafe" {
					checkSuggested(t, repairerOf(t, engine, config, dir, []string{kinds}, nil, func(*effective.Release) {}), f.files.Names())
				}
				many := slices.ContainsFunc(f.made, func(m made) bool { return m.central != nil })
				if kinds == "central" && many != tree.shared {
					t.Errorf("a patch for many is made: %v, want %v", many, tree.shared)
				}
			})
		}
	}
	if repaired < 20 {
		t.Errorf("only %d repairs", repaired)
	}
}

// checkSuggested checks that what reports suggest is in files that the repairs change.
func checkSuggested(t *testing.T, f *Repairer, changed []string) {
	t.Helper()
	hunks, err := f.Suggest()
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range f.before.state.Releases {
		for _, found := range targetsOf(of) {
			if found.finding.Fix == nil {
				continue
			}
			for _, h := range hunks(of, found.finding.Fix) {
				if !slices.Contains(changed, h.File) {
					t.Errorf("an edit of %s is suggested for %s, and only %v are changed", h.File, found, changed)
				}
			}
		}
	}
}
