package wave

import (
	"slices"
	"testing"
)

// A circle leads over what a Kustomization depends on, the children that it waits for, and health checks, but over no
// health check of one that waits, where they count for nothing.
func TestCircle(t *testing.T) {
	f := Fleet{
		Kustomizations: []Kustomization{
			{Name: "parent", Wait: true, Checks: []string{"HelmRelease/r"}},
			{Name: "child", Parent: "parent", Checks: []string{"HelmRelease/r"}},
			{Name: "beside", DependsOn: []string{"parent"}},
		},
		Releases: []Release{{Name: "r", Parent: "child", DependsOn: []string{"s"}}, {Name: "s", Parent: "beside"}},
	}
	want := []string{"HelmRelease/r", "HelmRelease/s", "Kustomization/parent", "Kustomization/child", "HelmRelease/r"}
	if got := f.Graph().Circle("HelmRelease/r", "HelmRelease/s"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	f.Kustomizations[0].Wait = false
	f.Kustomizations[0].Checks = nil
	if got := f.Graph().Circle("HelmRelease/r", "HelmRelease/s"); got != nil {
		t.Errorf("%q, and nothing waits for the child", got)
	}
}
