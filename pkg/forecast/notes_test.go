package forecast_test

import (
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// An uninstall that a human has asked for says what is gone, and not what failures are left.
func TestNoteOfUninstall(t *testing.T) {
	settings := release.Settings{
		Uninstall: release.UninstallSettings{Timeout: release.Duration{Duration: 5 * time.Minute}},
		Install:   release.Half{Strategy: release.RemediateOnFailure, Remediation: release.Uninstall, Retries: 1},
		Upgrade:   release.Half{Strategy: release.RemediateOnFailure, Remediation: release.Rollback, Retries: 1},
	}
	for name, want := range map[string]string{
		"deleted":        "the HelmRelease is gone, too",
		"target-changes": "the old Helm release is gone; installed anew in 750ms",
	} {
		for _, scenario := range forecast.Scenarios() {
			if scenario.Name != name {
				continue
			}
			steps := forecast.Run(settings, release.Controller{}, scenario, forecast.Options{}).Steps
			if len(steps) == 0 || steps[0].Action != forecast.Uninstall || steps[0].Note != want {
				t.Errorf("%s: %+v, want %q", name, steps, want)
			}
		}
	}
}
