package forecast

import (
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestRevive: what a human can do at an end, and what each way leads to.
func TestRevive(t *testing.T) {
	const everyCommand = "reset force suspend commit"
	for _, c := range []struct {
		spec, scenario, ways, way, then, otherwise string
	}{
		// Neither the interval nor "flux reconcile" revives what is stalled, and no restart.
		{specDefaults, "upgrade-fails", everyCommand + " fix revert", "force", "an upgrade, then Ready", "a failed upgrade, then Stalled with RetriesExceeded"},
		// --force is one attempt, --reset a new budget; so are a resume and a commit.
		{specBounded, "upgrade-fails", everyCommand + " fix revert", "force", "an upgrade, then Ready", "a failed upgrade and a rollback, then Stalled with RetriesExceeded"},
		{specBounded, "upgrade-fails", everyCommand + " fix revert", "reset", "an upgrade, then Ready", "4 failed upgrades and 4 rollbacks, then Stalled with RetriesExceeded"},
		{specBounded, "upgrade-fails", everyCommand + " fix revert", "suspend", "an upgrade, then Ready", "4 failed upgrades and 4 rollbacks, then Stalled with RetriesExceeded"},
		// After a rollback the old version is in sync without any action.
		{specBounded, "upgrade-fails", everyCommand + " fix revert", "revert", "Ready", ""},
		// The next attempt after a failed install is an upgrade, and has nothing to roll back to.
		{specBounded, "install-fails", everyCommand + " fix", "reset", "an upgrade, then Ready", "a failed upgrade, then Stalled with MissingRollbackTarget"},
		// Unless the failed install was uninstalled: then it has a new budget.
		{
			`{"install": {"remediation": {"retries": 2, "remediateLastFailure": true}}}`, "install-fails", everyCommand + " fix",
			"reset", "an install, then Ready", "3 failed installs and 3 uninstalls, then Stalled with RetriesExceeded",
		},
		// What keeps the release installed if it fails again comes first.
		{
			`{"upgrade": {"remediation": {"retries": 1, "remediateLastFailure": false, "strategy": "uninstall"}}}`, "upgrade-fails", "force fix revert reset suspend commit",
			"reset", "an upgrade, then Ready", "a failed upgrade, an uninstall and a failed install, then Stalled with RetriesExceeded",
		},
		// A record that is being uninstalled for ever takes Helm, by hand.
		{specBounded, "killed-in-uninstall", "helm-uninstall", "helm-uninstall", "an install, then Ready", ""},
		{specKept, "upgrade-fails", "helm-uninstall", "helm-uninstall", "an install, then Ready", "a failed install, then Stalled with RetriesExceeded"},
		// A retry interval of zero needs no more than a look.
		{specNever, "install-fails", "reconcile " + everyCommand + " fix restart", "reconcile", "an upgrade, then Ready", "a failed upgrade, then Stalled with RetriesExceeded"},
		{`{"suspend": true}`, "upgrade-fails", "resume", "resume", "an upgrade, then Ready", "a failed upgrade, then Stalled with RetriesExceeded"},
		{specRetry, "upgrade-fails", "", "", "", ""},
	} {
		found, err := Find(c.scenario)
		if err != nil {
			t.Fatal(err)
		}
		line := Run(decode(t, c.spec, false), release.Controller{}, found, Options{Revive: true})
		var names []string
		for _, w := range line.Revive {
			name := string(w.Events[0])
			names = append(names, name)
			if name == c.way && (w.Then != c.then || w.Otherwise != c.otherwise) {
				t.Errorf("%s of %s: %+v, want %s, else %s", c.scenario, c.spec, w, c.then, c.otherwise)
			}
		}
		if got := strings.Join(names, " "); got != c.ways {
			t.Errorf("%s of %s: %s revive it, want %s", c.scenario, c.spec, got, c.ways)
		}
		if line.Outcome.NeedsHuman != (c.ways != "") {
			t.Errorf("%s of %s: %+v", c.scenario, c.spec, line.Outcome)
		}
	}
}

// TestReviveEverything: whatever the settings, a release that needs a human can be
// revived, unless it is Ready already, and nobody knows that it is not healthy.
func TestReviveEverything(t *testing.T) {
	t.Parallel()
	for _, spec := range []string{specDefaults, specBounded, specHalf, specFlapping, specBlind, specNever, specKept, specTested, specLimbo, specBoth, specReplaced} {
		for _, scenario := range Scenarios() {
			line := Run(decode(t, spec, false), release.Controller{}, scenario, Options{Revive: true})
			if line.Outcome.NeedsHuman && len(line.Revive) == 0 {
				t.Errorf("%s of %s: %s; nothing revives it", scenario.Name, spec, line.Outcome)
			}
		}
	}
}
