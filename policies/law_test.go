package policies_test

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// lawRules are the rules that together accept exactly the classes retry and bounded.
var lawRules = []string{
	"no-recovery", "install-not-recovered", "upgrade-not-recovered", "retry-then-rollback", "mixed-strategies",
	"unbounded-remediation", "too-many-retries", "last-failure-left", "rollback-without-retry",
	"uninstall-on-upgrade-failure", "never-retried",
}

// written are the failure settings of a release; nil is not set.
type written struct {
	installStrategy, upgradeStrategy, remediation any
	installRetries, upgradeRetries                any
	installLast, upgradeLast                      any
	gate                                          bool
}

// TestLaw judges every combination of settings: a release is accepted by the
// rules of the law exactly when it is of class retry or bounded.
func TestLaw(t *testing.T) {
	t.Parallel()
	engine, err := rules.New(t.Context(), lawPolicies(t))
	if err != nil {
		t.Fatal(err)
	}
	cases := make(chan written)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for w := range cases {
				checkLaw(t, engine, w)
			}
		})
	}
	n := 0
	for w := range product {
		cases <- w
		n++
	}
	close(cases)
	workers.Wait()
	if want := 3 * 6 * 3 * 3 * 6 * 3 * 3 * 2; n != want {
		t.Errorf("%d combinations, want %d", n, want)
	}
}

// lawPolicies returns the policies with the rules of the law only, to save time.
func lawPolicies(t *testing.T) fs.FS {
	t.Helper()
	needed := append(slices.Clone(lawRules), "slow-recovery", "retry-too-fast") // METADATA and fixes of others refer to them
	kept := fstest.MapFS{}
	err := fs.WalkDir(policies.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if strings.HasPrefix(name, "rules/") && !slices.Contains(needed, path.Base(path.Dir(name))) {
			return nil
		}
		data, err := fs.ReadFile(policies.FS, name)
		kept[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func checkLaw(t *testing.T, engine *rules.Engine, w written) {
	t.Helper()
	hr, err := release.Decode(w.object(), release.Controller{Gates: release.Gates{"DefaultToRetryOnFailure": w.gate}})
	if err != nil {
		t.Error(err)
		return
	}
	hr.Tier = release.Production
	verdict, err := engine.Evaluate(t.Context(), hr, time.Unix(0, 0))
	if err != nil {
		t.Error(err)
		return
	}
	var errors []string
	for _, f := range verdict.Findings {
		if f.Severity == rules.Error && slices.Contains(lawRules, f.Rule) {
			errors = append(errors, f.Rule)
		}
	}
	want := w.class()
	if accepted := want != rules.ClassViolating; verdict.Class != want || accepted != (len(errors) == 0) {
		t.Errorf("%+v: class %s with errors %v, want class %s", w, verdict.Class, errors, want)
	}
}

// class returns the class by the documentation of the fields, independently of the
// code and the policies.
func (w written) class() rules.Class {
	retries := func(strategy any) bool {
		return strategy == "RetryOnFailure" || (strategy == nil && w.gate)
	}
	if retries(w.installStrategy) != retries(w.upgradeStrategy) {
		return rules.ClassViolating
	}
	if retries(w.installStrategy) {
		return rules.ClassRetry // the retry intervals are unset: 5m
	}
	bounded := func(retries any) bool { return retries == 1 || retries == 10 }
	if bounded(w.installRetries) && bounded(w.upgradeRetries) && w.upgradeLast != false && w.remediation != "uninstall" {
		return rules.ClassBounded
	}
	return rules.ClassViolating
}

func (w written) object() map[string]any {
	half := func(strategy, retries, last, remediation any) map[string]any {
		half, rem := map[string]any{}, map[string]any{}
		if strategy != nil {
			half["strategy"] = map[string]any{"name": strategy}
		}
		for key, value := range map[string]any{"retries": retries, "remediateLastFailure": last, "strategy": remediation} {
			if value != nil {
				rem[key] = value
			}
		}
		if len(rem) > 0 {
			half["remediation"] = rem
		}
		return half
	}
	return map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2",
		"kind":       "HelmRelease",
		"metadata":   map[string]any{"name": "app", "namespace": "apps"},
		"spec": map[string]any{
			"interval": "1h",
			"timeout":  "10m",
			"chartRef": map[string]any{"kind": "OCIRepository", "name": "app"},
			"install":  half(w.installStrategy, w.installRetries, w.installLast, nil),
			"upgrade":  half(w.upgradeStrategy, w.upgradeRetries, w.upgradeLast, w.remediation),
		},
	}
}

// product yields every combination.
func product(yield func(written) bool) {
	strategies := []any{nil, "RemediateOnFailure", "RetryOnFailure"}
	retries := []any{nil, 0, 1, 10, 11, -1}
	flags := []any{nil, true, false}
	remediations := []any{nil, "rollback", "uninstall"}
	sizes := []int{len(strategies), len(retries), len(flags), len(strategies), len(retries), len(flags), len(remediations), 2}
	at := make([]int, len(sizes))
	for {
		w := written{
			installStrategy: strategies[at[0]], installRetries: retries[at[1]], installLast: flags[at[2]],
			upgradeStrategy: strategies[at[3]], upgradeRetries: retries[at[4]], upgradeLast: flags[at[5]],
			remediation: remediations[at[6]], gate: at[7] == 1,
		}
		if !yield(w) || !next(at, sizes) {
			return
		}
	}
}

// next moves to the next combination, and reports whether there is one.
func next(at, sizes []int) bool {
	for i := range at {
		if at[i]++; at[i] < sizes[i] {
			return true
		}
		at[i] = 0
	}
	return false
}

func (w written) String() string {
	return fmt.Sprintf("install(%v retries %v last %v) upgrade(%v retries %v last %v %v) gate %v",
		w.installStrategy, w.installRetries, w.installLast,
		w.upgradeStrategy, w.upgradeRetries, w.upgradeLast, w.remediation, w.gate)
}
