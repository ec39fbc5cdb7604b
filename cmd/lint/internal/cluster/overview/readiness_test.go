package overview

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// refusal is a release that has one finding.
func refusal(tier release.Tier, name, by, rule, repair string, severity rules.Severity, waived *rules.Waiver) Release {
	return Release{
		Subject: Subject{Name: release.Name{Namespace: "apps", Name: name}, Tier: tier}, Origin: Origin{AppliedBy: by},
		Findings: []Finding{{Rule: rule, Severity: severity, Repair: repair, Waived: waived}},
	}
}

// What would be refused is counted by what applies it, and the tier without any goes first.
func TestReadiness(t *testing.T) {
	const apps, infra = "Kustomization flux-system/apps", "Kustomization flux-system/infra"
	all := []Release{
		refusal(release.Production, "a", apps, "no-recovery", "safe", rules.Error, nil),
		refusal(release.Production, "b", apps, "unknown-field", "", rules.Error, nil),
		refusal(release.Production, "c", infra, "no-recovery", "unsafe", rules.Error, nil),
		refusal(release.Production, "d", infra, "no-recovery", "", rules.Error, &rules.Waiver{Reason: "moves"}),
		refusal(release.Production, "e", infra, "no-recovery", "", rules.Warning, nil),
		refusal(release.Staging, "f", "", "no-recovery", "", rules.Warning, nil),
	}
	r := Admission(all, parse(t, "{}"), engine(t))
	if len(r.Tiers) != 2 || r.Tiers[0].Tier != release.Staging || len(r.Tiers[0].Stops) != 0 || r.Ready() {
		t.Fatalf("%+v", r)
	}
	stops := r.Tiers[1].Stops
	if len(stops) != 2 || stops[0].AppliedBy != apps || stops[0].Releases != 2 || len(stops[0].Refused) != 2 || stops[1].AppliedBy != infra || stops[1].Releases != 3 {
		t.Fatalf("%+v", stops)
	}
	if b := stops[0].Refused[1]; b.Repair != "hand" || !slices.Equal(b.Rules, []string{"unknown-field"}) || len(stops[1].Refused) != 1 {
		t.Errorf("%+v", stops)
	}
	lines := r.lines()
	for _, want := range []string{
		"staging: of 1 HelmReleases none would be refused (now: warn)",
		"production: of 5 HelmReleases 3 would be refused when created (now: deny)",
		"1. deny in staging: nothing there would be refused",
		"2. in production repair or waive 3 (1 lint --fix, 1 lint --fix=unsafe, 1 by hand), then deny",
		`Only the webhook refuses by these, not the policies of "flux-remedy vap": unknown-field`,
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("%q is not in\n%s", want, strings.Join(lines, "\n"))
		}
	}
	r.Undetermined = 2
	if lines := r.lines(); !slices.Contains(lines, "1. determine the 2 that could not be judged") {
		t.Error(lines)
	}
	if ready := Admission(all[5:], parse(t, "{}"), engine(t)); !ready.Ready() {
		t.Errorf("%+v", ready)
	}
	ready := Admission(all[5:], parse(t, "{}"), engine(t))
	if ready.Undetermined = 1; ready.Ready() {
		t.Error("what is undetermined is ready")
	}
}

// A mistake in a list of many is found among the first.
func TestReadinessOfMany(t *testing.T) {
	var all []Release
	for i := range 20 {
		all = append(all, refusal(release.Production, fmt.Sprint("r", i), "", "no-recovery", "", rules.Error, nil))
	}
	lines := strings.Join(Admission(all, parse(t, "{}"), engine(t)).lines(), "\n")
	if !strings.Contains(lines, "    and 15 more") || strings.Contains(lines, "apps/r9:") {
		t.Error(lines)
	}
}

func engine(t testing.TB) *rules.Engine {
	t.Helper()
	e, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func parse(t testing.TB, spec string) *rules.Config {
	t.Helper()
	config, err := rules.ParseConfig([]byte("apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec: " + spec + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return config
}
