package wave

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// estate is a Kustomization a above the release r, one that depends on it, one that depends on that, and one beside.
func estate(t *testing.T, spec map[string]any, change func(f *Fleet)) Fleet {
	t.Helper()
	spec["interval"] = "1h"
	one, err := release.Decode(map[string]any{"apiVersion": release.Group + "/v2", "kind": "HelmRelease", "spec": spec}, release.Controller{})
	if err != nil || one.Settings == nil {
		t.Fatal(err)
	}
	minutes := func(n int) release.Duration { return release.Duration{Duration: time.Duration(n) * time.Minute} }
	var f Fleet
	for _, name := range []string{"a", "b", "c", "d"} {
		f.Kustomizations = append(f.Kustomizations, Kustomization{Name: name, Source: "main", Interval: minutes(60), Retry: minutes(2), Timeout: minutes(3), Wait: true})
		f.Releases = append(f.Releases, Release{Name: "of-" + name, Parent: name, Settings: *one.Settings, Controller: one.Controller})
	}
	f.Kustomizations[1].DependsOn, f.Kustomizations[2].DependsOn = []string{"a"}, []string{"b"}
	if change != nil {
		change(&f)
	}
	return f
}

func TestRadius(t *testing.T) {
	retry := map[string]any{"name": "RetryOnFailure", "retryInterval": "5m"}
	for name, tc := range map[string]struct {
		spec     map[string]any
		scenario string
		change   func(f *Fleet)
		want     string
	}{
		"stalled":  {map[string]any{}, "upgrade-fails", nil, "holds up 2 releases in 2 Kustomizations until someone acts"},
		"retried":  {map[string]any{"install": map[string]any{"strategy": retry}, "upgrade": map[string]any{"strategy": retry}}, "upgrade-fails", nil, "holds up 2 releases in 2 Kustomizations as long as the cause lasts"},
		"recovers": {map[string]any{"install": map[string]any{"strategy": retry}, "upgrade": map[string]any{"strategy": retry}}, "upgrade-fails-once", nil, "holds up 2 releases in 2 Kustomizations for 11m30s"},
		"install":  {map[string]any{}, "install-fails", nil, "holds up 2 releases in 2 Kustomizations until someone acts"},
		"fix":      {map[string]any{}, "fix-arrives", nil, "holds up 2 releases in 2 Kustomizations for 6m30s"},
		"as with each commit": {map[string]any{}, "fix-arrives", func(f *Fleet) {
			f.Kustomizations[2].DependsOn, f.Kustomizations[3].Wait = []string{"d"}, false
			f.Releases[3].DependsOn = []string{"of-a"}
		}, "holds up 1 release in 1 Kustomization and 1 release by dependsOn for 6m"},
		"not waited for": {map[string]any{}, "upgrade-fails", func(f *Fleet) { f.Kustomizations[0].Wait = false }, ""},
		"alone":          {map[string]any{}, "upgrade-fails", func(f *Fleet) { f.Kustomizations[1].DependsOn = nil }, "Kustomization a is not ready until someone acts"},
		"below another":  {map[string]any{}, "upgrade-fails", func(f *Fleet) { f.Kustomizations[0].Parent, f.Kustomizations[1].DependsOn = "d", nil }, "Kustomizations a, d are not ready until someone acts"},
		"checks elsewhere": {map[string]any{}, "upgrade-fails", func(f *Fleet) {
			f.Kustomizations[0].Wait, f.Kustomizations[0].Checks = false, []string{"HelmRelease/of-d", "Kustomization/d"}
		}, ""},
		"checked elsewhere": {map[string]any{}, "upgrade-fails", func(f *Fleet) {
			f.Kustomizations[0].Wait, f.Kustomizations[1].DependsOn = false, nil
			f.Kustomizations[3].Wait, f.Kustomizations[3].Checks = false, []string{"HelmRelease/of-a"}
		}, "Kustomization d is not ready until someone acts"},
		"dependents": {map[string]any{}, "upgrade-fails", func(f *Fleet) {
			f.Kustomizations[0].Wait, f.Kustomizations[1].Wait = false, false
			f.Releases[1].DependsOn, f.Releases[2].DependsOn = []string{"of-a"}, []string{"of-b"}
		}, "holds up 2 releases by dependsOn until someone acts"},
		"dependents that are waited for": {map[string]any{}, "upgrade-fails", func(f *Fleet) {
			f.Kustomizations[0].Wait, f.Kustomizations[1].DependsOn = false, nil
			f.Releases[1].DependsOn, f.Releases[1].Interval.Duration = []string{"of-a"}, 10*time.Minute
		}, "holds up 1 release in 1 Kustomization and 1 release by dependsOn until someone acts"},
		"dependents of what recovers": {map[string]any{"install": map[string]any{"strategy": retry}, "upgrade": map[string]any{"strategy": retry}}, "upgrade-fails-once", func(f *Fleet) {
			f.Kustomizations[0].Wait = false
			f.Releases[3].DependsOn = []string{"of-a"}
		}, "holds up 1 release by dependsOn for 10m30s"},
		"dependents of another source": {map[string]any{"install": map[string]any{"strategy": retry}, "upgrade": map[string]any{"strategy": retry}}, "upgrade-fails-once", func(f *Fleet) {
			f.Kustomizations[1].Source, f.Kustomizations[2].DependsOn = "other", nil
		}, "holds up 1 release in 1 Kustomization for 11m"},
		"no commit": {map[string]any{}, "drift", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			scenario, err := forecast.Find(tc.scenario)
			if err != nil {
				t.Fatal(err)
			}
			f := estate(t, tc.spec, tc.change)
			r, _ := RadiusOf(f, f.Links(), f.Releases[0], scenario, forecast.Options{})
			if got := r.String(); got != tc.want {
				t.Errorf("%q, want %q\n%+v", got, tc.want, r.Lanes)
			}
		})
	}
}

// What is held up does not depend on the order in which sources are looked at.
func TestRadiusOfManySources(t *testing.T) {
	scenario, err := forecast.Find("upgrade-fails-once")
	if err != nil {
		t.Fatal(err)
	}
	many := func(f *Fleet) {
		for i := range 6 {
			k := f.Kustomizations[1]
			k.Name, k.Source = fmt.Sprint("more-", i), fmt.Sprint("source-", i)
			if i > 0 {
				k.DependsOn = []string{fmt.Sprint("more-", i-1)}
			}
			f.Kustomizations = append(f.Kustomizations, k)
		}
	}
	first := ""
	for range 40 {
		f := estate(t, map[string]any{}, many)
		r, _ := RadiusOf(f, f.Links(), f.Releases[0], scenario, forecast.Options{})
		if got := fmt.Sprintf("%+v", r); first == "" {
			first = got
		} else if got != first {
			t.Fatalf("%s\nand then\n%s", first, got)
		}
	}
}

// Kustomizations that are reconciled all the time are followed for a while, and it is said how long.
func TestRadiusOfHasty(t *testing.T) {
	scenario, err := forecast.Find("upgrade-fails")
	if err != nil {
		t.Fatal(err)
	}
	hasty := func(f *Fleet) {
		for i := range f.Kustomizations {
			k := &f.Kustomizations[i]
			k.Interval.Duration, k.Retry.Duration, k.Timeout.Duration = time.Millisecond, time.Millisecond, time.Millisecond
		}
	}
	spec := map[string]any{"timeout": "24h", "upgrade": map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}}}
	f := estate(t, spec, hasty)
	r, _ := RadiusOf(f, f.Links(), f.Releases[0], scenario, forecast.Options{})
	if len(r.Unknown) != 1 || !strings.HasPrefix(r.Unknown[0], "what happens after ") || r.For.Duration != 0 {
		t.Errorf("%s, unknown: %q", r, r.Unknown)
	}
}

// Workers of which it is not known how many there are work as the default does.
func TestUnknownWorkers(t *testing.T) {
	run := func(concurrent int) string {
		f := estate(t, map[string]any{}, nil)
		f.Controller.Concurrent = concurrent
		f.Events, f.Until.Duration = []Event{{What: Commit, On: "main"}}, time.Hour
		return fmt.Sprint(Run(f))
	}
	if unknown, usual := run(-1), run(0); unknown != usual || usual == "[]" {
		t.Errorf("%s\nas by default\n%s", unknown, usual)
	}
}
