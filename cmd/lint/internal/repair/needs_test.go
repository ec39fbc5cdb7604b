package repair

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// A repair needs a human in no scenario in which the release as it was needs none, or help says
// so; a safe one never does. Where both halves can retry, there is one such scenario: without
// remediation nobody installs what somebody else has deleted.
func TestRepairsNeedNoHuman(t *testing.T) {
	file := pairsOfHalves(t)
	engine := newEngine(t)
	for _, version := range []string{release.DefaultControllerVersion, "1.3.0"} {
		for _, prefer := range []rules.Class{rules.ClassRetry, rules.ClassBounded} {
			t.Run(fmt.Sprint(version, " ", prefer), func(t *testing.T) {
				config := &rules.Config{}
				config.Spec.Controller.Version, config.Spec.Fix.Prefer = version, prefer
				f := repairerOf(t, engine, config, file, []string{"unsafe"}, nil, func(r *effective.Release) { r.Tier = release.Production })
				remedy, checked := Remedies(f.state, nil, false), 0
				for _, r := range f.state.Releases {
					for _, of := range targetsOf(r) {
						fix := of.finding.Fix
						if fix == nil {
							continue
						}
						checked++
						needs := checkNeeds(t, remedy, of)
						if r.Settings.Install.DisableWait || r.Settings.Upgrade.DisableWait {
							continue // what is retried succeeds without being looked at
						}
						both := version == release.DefaultControllerVersion && prefer == rules.ClassRetry && fix.Other != nil
						if unexpected := slices.DeleteFunc(needs, func(s string) bool { return s == "record-deleted" }); both && len(unexpected) > 0 {
							t.Errorf("%s: %v need a human after it", of, unexpected)
						}
					}
				}
				if checked < 100 {
					t.Errorf("only %d repairs", checked)
				}
			})
		}
	}
}

// checkNeeds checks that help for a finding names the scenarios in which its repair needs a human, and
// the release as it is does not, and that a safe repair has none. It returns them.
func checkNeeds(t *testing.T, remedy func(judge.Release, rules.Finding) *report.Remedy, of target) []string {
	t.Helper()
	fix := of.finding.Fix
	if fix == nil {
		return nil
	}
	needs := humansNeeded(of.of, judge.Release{Release: of.of.Edited(fix.Set)})
	if said := remedy(of.of, of.finding); said.Kind != "" && of.of.KnownSettings() && !slices.Equal(said.Cost().NeedsHuman, needs) {
		t.Errorf("%s: %v need a human after it, and help says otherwise", of, needs)
	}
	if fix.Safe && len(needs) > 0 {
		t.Errorf("%s: %v need a human after a safe repair", of, needs)
	}
	return needs
}

// pairsOfHalves writes releases with all that is often written of install and upgrade, in a file.
func pairsOfHalves(t *testing.T) string {
	t.Helper()
	halves := []string{
		"{}", "{remediation: {retries: 0}}", "{remediation: {retries: 3}}", "{remediation: {retries: -1}}", "{remediation: {retries: 20}}",
		"{remediation: {retries: 3, remediateLastFailure: false}}", "{remediation: {remediateLastFailure: true}}",
		"{strategy: {name: RetryOnFailure}}", "{strategy: {name: RemediateOnFailure}, remediation: {retries: 2}}",
		"{disableWait: true, remediation: {retries: 1}}",
	}
	var text strings.Builder
	for i, install := range halves {
		for j, upgrade := range append(slices.Clone(halves), "{remediation: {retries: 2, strategy: uninstall}}") {
			for _, chart := range []string{"podinfo", "postgresql"} {
				fmt.Fprintf(&text, "---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: %s-%d-%d, namespace: shop}\nspec: {interval: 1h, timeout: 10m, chartRef: {kind: OCIRepository, name: %s}, install: %s, upgrade: %s}\n",
					chart, i, j, chart, install, upgrade)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "releases.yaml")
	writeFile(t, file, []byte(text.String()))
	return file
}

// Help shows two ways where spec.fix.prefer chooses between them, and what it says of the other
// one is what is written where the configuration prefers that.
func TestOtherIsWhatIsPreferred(t *testing.T) {
	file := pairsOfHalves(t)
	engine := newEngine(t)
	for _, controller := range []rules.ControllerConfig{
		{Version: release.DefaultControllerVersion},
		{Version: "1.3.0"},
		{Version: release.DefaultControllerVersion, Gates: release.Gates{"DefaultToRetryOnFailure": true}},
	} {
		found := map[rules.Class]map[string]rules.Finding{}
		for _, prefer := range []rules.Class{"", rules.ClassRetry, rules.ClassBounded} {
			config := &rules.Config{}
			config.Spec.Controller, config.Spec.Fix.Prefer = controller, prefer
			f := repairerOf(t, engine, config, file, []string{"unsafe"}, nil, func(r *effective.Release) { r.Tier = release.Production })
			found[prefer] = map[string]rules.Finding{}
			for _, r := range f.state.Releases {
				for _, of := range targetsOf(r) {
					found[prefer][of.key()] = of.finding
				}
			}
		}
		checked := 0
		for prefer, all := range found {
			for key, f := range all {
				switch {
				case f.Fix == nil:
				case f.Fix.Other != nil:
					checked++
					is := found[f.Fix.Other.Class][key].Fix
					if is == nil || !reflect.DeepEqual(is.Set, f.Fix.Other.Set) || is.Safe != f.Fix.Other.Safe {
						t.Errorf("%v: %s with prefer %q offers %s as %+v, which is %+v", controller, key, prefer, f.Fix.Other.Class, f.Fix.Other, is)
					}
				default:
					for other, all := range found {
						if is := all[key].Fix; is != nil && !reflect.DeepEqual(is.Set, f.Fix.Set) {
							t.Errorf("%v: %s with prefer %q offers one way, %+v, and with %q it is %+v", controller, key, prefer, f.Fix, other, is)
						}
					}
				}
			}
		}
		t.Log(controller, checked)
	}
}
