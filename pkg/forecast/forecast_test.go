package forecast

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Specs that the tests forecast.
const (
	specDefaults  = `{}`
	specRetry     = `{"install": {"strategy": {"name": "RetryOnFailure"}}, "upgrade": {"strategy": {"name": "RetryOnFailure"}}}`
	specBounded   = `{"install": {"remediation": {"retries": 3}}, "upgrade": {"remediation": {"retries": 3}}}`
	specHalf      = `{"install": {"strategy": {"name": "RetryOnFailure"}}, "upgrade": {"remediation": {"retries": 3}}}`
	specFlapping  = `{"install": {"remediation": {"retries": -1}}, "upgrade": {"remediation": {"retries": -1}}}`
	specBlind     = `{"install": {"disableWait": true}, "upgrade": {"disableWait": true}}`
	specNever     = `{"install": {"strategy": {"name": "RetryOnFailure", "retryInterval": "0s"}}}`
	specKept      = `{"uninstall": {"keepHistory": true}, "upgrade": {"remediation": {"retries": 3, "strategy": "uninstall"}}}`
	specTested    = `{"test": {"enable": true}, "upgrade": {"remediation": {"retries": 1}}}`
	specLimbo     = `{"test": {"enable": true}, "upgrade": {"remediation": {"retries": 1, "ignoreTestFailures": true}}}`
	specBoth      = `{"test": {"enable": true, "ignoreFailures": true}, "upgrade": {"remediation": {"ignoreTestFailures": false}}}`
	specZero      = `{"timeout": "0s"}`
	specPreserved = `{"upgrade": {"preserveValues": true, "remediation": {"retries": 3}}}`
	specDrift     = `{"driftDetection": {"mode": "enabled"}}`
	specReplaced  = `{"uninstall": {"keepHistory": true}, "install": {"replace": true, "remediation": {"retries": 1}}}`
)

func TestOutcomes(t *testing.T) {
	for _, c := range []struct{ spec, scenario, word, outcome, summary string }{
		{
			specDefaults, "upgrade-fails", "U-", "Stalled RetriesExceeded upgrade",
			"after the first failed upgrade (5m) the release is Stalled with RetriesExceeded; " +
				"the failed new version stays on the cluster and a human is needed",
		},
		{
			specRetry, "upgrade-fails", "U- U- U- U- U- U- U- U- U- U- U- U-", "Retrying interval upgrade",
			"the upgrade fails and is tried again after 5m, forever; " +
				"the failed new version stays on the cluster; no human is needed once the cause is gone",
		},
		{
			specBounded, "upgrade-fails", "U- R+ U- R+ U- R+ U- R+", "Stalled RetriesExceeded upgrade",
			"after 4 failed upgrades and 4 rollbacks (22m35s) the release is Stalled with RetriesExceeded; " +
				"the old version runs and a human is needed",
		},
		{
			specBounded, "fix-arrives", "U- R+ U- R+ U+", "Ready UpgradeSucceeded upgrade",
			"after 2 failed upgrades and 2 rollbacks, then the fix (11m51s) the release is Ready; the fixed version runs",
		},
		{
			specBounded, "killed-in-upgrade-then-fails", "U! K+ U-", "Stalled MissingRollbackTarget upgrade",
			"after an interrupted upgrade and a failed upgrade (7m30s) the release is Stalled with MissingRollbackTarget; " +
				"the failed new version stays on the cluster and a human is needed",
		},
		{
			specBounded, "killed-in-rollback", "U- R! K+ U+", "Ready UpgradeSucceeded upgrade",
			"after a failed upgrade and an interrupted rollback (8m) the release is Ready; the new version runs",
		},
		{
			specBounded, "stopped-in-upgrade-then-fails", "U! U-", "Stalled MissingRollbackTarget upgrade",
			"after an interrupted upgrade and a failed upgrade (7m30s) the release is Stalled with MissingRollbackTarget; " +
				"the failed new version stays on the cluster and a human is needed",
		},
		{
			specBounded, "revert-arrives", "U- R+ U- R+", "Ready UpgradeSucceeded upgrade",
			"after 2 failed upgrades and 2 rollbacks, then the revert (11m21s) the release is Ready; the old version runs",
		},
		{
			specBounded, "rollback-fails-once", "U- R- R+ U- R+ U- R+ U- R+", "Stalled RetriesExceeded upgrade",
			"after 4 failed upgrades, a failed rollback and 4 rollbacks (27m51s) the release is Stalled with RetriesExceeded; " +
				"the old version runs and a human is needed",
		},
		{
			specBounded, "rollback-target-deleted", "U- U- U- U- U- U- U- U- U- U- U- U-", "Retrying interval upgrade",
			"the upgrade fails and is tried again after 10m, forever; " +
				"the failed new version stays on the cluster; no human is needed once the cause is gone",
		},
		{
			specBounded, "uninstall-fails", "I- X-", "Error StateError install",
			"after a failed install and a failed uninstall the controller cannot tell the state of the release " +
				"and looks again, up to 15m apart, forever; the failed new version stays on the cluster and a human is needed",
		},
		{
			specBounded, "killed-in-uninstall", "I- X! U- U- U- U- U- U- U- U- U- U-", "Error UpgradeFailed upgrade",
			"after a failed install and an interrupted uninstall the upgrade fails before it changes anything " +
				"and is tried again, up to 15m apart, forever; the failed new version stays on the cluster and a human is needed",
		},
		{
			specHalf, "install-fails", "I- U-", "Stalled MissingRollbackTarget upgrade",
			"after a failed install and a failed upgrade (15m1s) the release is Stalled with MissingRollbackTarget; " +
				"the failed new version stays on the cluster and a human is needed",
		},
		{
			specHalf, "record-deleted", "I-", "Stalled RetriesExceeded install",
			"after a failed install, then the deletion of its records (10m1s) the release is Stalled with RetriesExceeded; " +
				"the failed new version stays on the cluster and a human is needed",
		},
		{
			specFlapping, "upgrade-fails", "U- R+ U- R+ U- R+ U- R+ U- R+ U- R+", "Retrying backoff upgrade",
			"the upgrade fails and it is rolled back, over and over, up to 15m apart; " +
				"the old version runs; no human is needed once the cause is gone",
		},
		{
			specBlind, "upgrade-fails", "U+", "Ready UpgradeSucceeded ",
			"after 1s the release is Ready, since nothing waits for its health; " +
				"the failed new version stays on the cluster and a human is needed",
		},
		{
			specNever, "install-fails", "I-", "Idle InstallFailed install",
			"after the first failed install (5m1s) the release is not ready (InstallFailed) and nothing more is done; " +
				"the failed new version stays on the cluster and a human is needed",
		},
		{
			specKept, "upgrade-fails", "U- X+ I- I- I- I- I- I- I- I- I- I-", "Error InstallFailed install",
			"after a failed upgrade and an uninstall the install fails before it changes anything " +
				"and is tried again, up to 15m apart, forever; nothing is installed and a human is needed",
		},
		{
			`{"install": {"strategy": {"name": "RetryOnFailure"}, "remediation": {"retries": -1}},
			  "upgrade": {"remediation": {"retries": 3, "strategy": "uninstall"}}}`,
			"upgrade-fails", "U- X+ I- U- X+ I- U- X+ I- U- X+ I-", "Retrying interval install",
			"the upgrade fails, it is uninstalled and the install fails, over and over, up to 5m apart; " +
				"the failed new version stays on the cluster; no human is needed once the cause is gone",
		},
		{
			`{"install": {"strategy": {"name": "RetryOnFailure"}},
			  "uninstall": {"keepHistory": true}, "upgrade": {"remediation": {"retries": 3, "strategy": "uninstall"}}}`,
			"upgrade-fails", "U- X+ I- I- I- I- I- I- I- I- I- I-", "Retrying interval install",
			"after a failed upgrade and an uninstall the install fails before it changes anything and is tried again after 5m, forever; " +
				"nothing is installed and a human is needed",
		},
		{
			specBounded, "install-fails+fix-fails", "I- X+ I- X+ I- X+ I- U-", "Stalled MissingRollbackTarget upgrade",
			"after 4 failed installs and 3 uninstalls, then a fix that fails and a failed upgrade (27m11s) " +
				"the release is Stalled with MissingRollbackTarget; the failed bad fix is on the cluster and a human is needed",
		},
		{
			specBounded, "upgrade-fails+reset", "U- R+ U- R+ U- R+ U- R+ U- R+ U- R+ U- R+ U- R+", "Stalled RetriesExceeded upgrade",
			"after 4 failed upgrades and 4 rollbacks, then flux reconcile --reset, 4 failed upgrades and 4 rollbacks (45m47s) " +
				"the release is Stalled with RetriesExceeded; the old version runs and a human is needed",
		},
		{
			specBounded, "upgrade-fails+cause-goes-away+force", "U- R+ U- R+ U- R+ U- R+ U+", "Ready UpgradeSucceeded upgrade",
			"after 4 failed upgrades and 4 rollbacks, then the removal of the cause, then flux reconcile --force (23m5s) " +
				"the release is Ready; the new version runs",
		},
		{
			specReplaced, "install-fails", "I- X+ I-", "Stalled RetriesExceeded install",
			"after 2 failed installs and an uninstall (10m42s) the release is Stalled with RetriesExceeded; " +
				"the failed new version stays on the cluster and a human is needed",
		},
		{
			specTested, "test-fails", "U+ T- R+ U+ T- R+", "Stalled RetriesExceeded upgrade",
			"after 2 failed tests and 2 rollbacks (3m11s) the release is Stalled with RetriesExceeded; " +
				"the old version runs and a human is needed",
		},
		{
			specLimbo, "test-fails", "U+ T-", "Idle TestFailed ",
			"after the first failed test (1m) the release is not ready (TestFailed) and nothing more is done; " +
				"the new version runs and a human is needed",
		},
		{
			specBoth, "test-fails", "U+ T-", "Stalled RetriesExceeded upgrade",
			"after the first failed test (1m) the release is Stalled with RetriesExceeded; the new version runs and a human is needed",
		},
		{
			specDefaults, "upgrade-not-rendered", "U- U- U- U- U- U- U- U- U- U- U- U-", "Error UpgradeFailed upgrade",
			"the upgrade fails before it changes anything and is tried again, up to 15m apart, forever; " +
				"the old version runs; no human is needed once the cause is gone",
		},
		{
			specDefaults, "cause-goes-away", "U-", "Stalled RetriesExceeded upgrade",
			"after the first failed upgrade (5m) the release is Stalled with RetriesExceeded, even after the removal of the cause; " +
				"the failed new version stays on the cluster and a human is needed",
		},
		{
			specZero, "upgrade-fails-once", "U-", "Stalled RetriesExceeded upgrade",
			"after the first failed upgrade (0s) the release is Stalled with RetriesExceeded; " +
				"the failed new version stays on the cluster and a human is needed",
		},
		{
			`{"suspend": true}`, "upgrade-fails", "", "Idle Suspended ",
			"the release is suspended and nothing is done; the old version runs and a human is needed",
		},
		{
			specBounded, "rollback-hook-fails", "U- R- K+ R- K+ R- K+ R- K+ R- K+ R-", "Retrying backoff upgrade",
			"after a failed upgrade the rollback fails and it is unlocked, over and over, up to 15m apart; " +
				"the failed new version stays on the cluster; no human is needed once the cause is gone",
		},
		{
			specRetry, "dependency-not-ready", "", "Waiting DependencyNotReady ",
			"a dependency is not ready and the controller looks again after 30s, forever; " +
				"nothing is installed; no human is needed once the cause is gone",
		},
		{
			specBounded, "dependency-not-ready+cause-goes-away", "I+", "Ready InstallSucceeded ",
			"after the removal of the cause (14m31s) the release is Ready; the new version runs",
		},
		{
			specDefaults, "source-not-ready", "", "Waiting SourceNotReady ",
			"the source is not ready and the controller looks again after 30s, forever; " +
				"the old version runs; no human is needed once the cause is gone",
		},
		{
			specDefaults, "values-missing", "", "Error ValuesError ",
			"the values cannot be read and the controller looks again, up to 15m apart, forever; " +
				"the old version runs; no human is needed once the cause is gone",
		},
		{
			specDefaults, "value-removed", "U+", "Ready UpgradeSucceeded ",
			"after the removal of a value (30s) the release is Ready; the old version runs",
		},
		{
			specPreserved, "value-removed", "U+ U+ U+ U+ U+ U+ U+ U+ U+ U+ U+ U+", "Retrying backoff upgrade",
			"after the removal of a value the upgrade succeeds and is done again, up to 15m apart, forever; " +
				"the old version runs and a human is needed",
		},
		{
			specPreserved, "value-removed+revert", strings.TrimSpace(strings.Repeat("U+ ", 23)), "Ready UpgradeSucceeded upgrade",
			"after the removal of a value, then the revert (3h26m) the release is Ready; the old version runs",
		},
		{
			specDefaults, "drift", "", "Ready InstallSucceeded ",
			"after a change on the cluster (10m) the release is Ready, since the change is not put back; the changed old version runs",
		},
		{
			specDrift, "drift", "C+", "Ready InstallSucceeded ",
			"after a change on the cluster (10m1s) the release is Ready; the old version runs",
		},
		{
			specDrift, "drift-comes-back", "C+ C+ C+ C+ C+ C+ C+ C+ C+ C+ C+ C+", "Retrying backoff install",
			"after a change on the cluster the correction succeeds and is done again, up to 15m apart, forever; " +
				"the changed old version runs; no human is needed once the cause is gone",
		},
		{
			specBounded, "target-changes", "X+ I+", "Ready InstallSucceeded ",
			"after the change of its target and an uninstall (1m1s) the release is Ready; the old version runs",
		},
		{
			specDefaults, "target-changes-then-fails", "X+ I-", "Stalled RetriesExceeded install",
			"after the change of its target, an uninstall and a failed install (5m31s) the release is Stalled with RetriesExceeded; " +
				"the failed old version is on the cluster and a human is needed",
		},
		{
			specBounded, "deleted", "X+", "Deleted UninstallSucceeded ",
			"after its deletion and an uninstall (30s) the HelmRelease is gone; nothing is installed",
		},
		{
			specBounded, "deletion-fails", "X- X- X- X- X- X- X- X- X- X- X- X-", "Error UninstallFailed ",
			"after its deletion the uninstall fails and is tried again, up to 15m apart, forever; " +
				"the old version runs; no human is needed once the cause is gone",
		},
		{
			`{"suspend": true}`, "deleted", "", "Deleted LeftBehind ",
			"after its deletion (0s) the HelmRelease is gone; the old version runs and a human is needed",
		},
	} {
		line := forecast(t, c.spec, c.scenario)
		out := line.Outcome
		if got := word(line.Steps); got != c.word {
			t.Errorf("%s of %s: steps %s, want %s", c.scenario, c.spec, got, c.word)
		}
		if got := strings.Join([]string{string(out.End), out.Reason, string(out.DecidedBy)}, " "); got != c.outcome {
			t.Errorf("%s of %s: outcome %q, want %q", c.scenario, c.spec, got, c.outcome)
		}
		if out.String() != c.summary {
			t.Errorf("%s of %s: summary\n%s\nwant\n%s", c.scenario, c.spec, out, c.summary)
		}
	}
}

// TestTime: attempts take the effective timeout, retries are spaced by the
// backoff, and ten seconds are added after a remediation that is followed by
// another attempt.
func TestTime(t *testing.T) {
	for _, c := range []struct {
		spec, scenario string
		opts           Options
		want           string
	}{
		{specRetry, "upgrade-fails-once", Options{}, "0s 10m"},
		{specRetry, "upgrade-fails-once", Options{Instant: true}, "0s 5m"},
		{specBounded, "upgrade-fails", Options{}, "0s 5m 5m41s 10m41s 11m22s 16m22s 17m5s 22m5s"},
		{specBounded, "upgrade-fails", Options{FailAfter: 10e9, SucceedAfter: 5e9}, "0s 10s 25.75s 35.75s 52.25s 1m2s 1m20s 1m30s"},
		{specBounded, "upgrade-fails", Options{Instant: true}, "0s 0s 750ms 750ms 2.25s 2.25s 5.25s 5.25s"},
		{specDefaults, "install-fails", Options{}, "750ms"},
		// The cache is waited for after what has written status.history, whatever it was.
		{specDefaults, "deletion-fails", Options{MaxSteps: 4}, "0s 11.75s 24.25s 38.25s"},
		{specBounded, "rollback-target-deleted", Options{MaxSteps: 3}, "0s 5m11s 10m22s"},
		{
			`{"install": {"remediation": {"retries": 30}}}`, "install-outage",
			Options{},
			"750ms 1.75s 13.35s 14.35s 27.45s 28.45s 44.55s 45.55s 1m8s 1m9s 1m43s 1m44s 2m42s 2m43s 4m29s 4m30s 7m52s 7m53s 14m27s",
		},
		{
			`{"install": {"remediation": {"retries": 3}}}`, "install-outage",
			Options{Outage: time.Minute},
			"750ms 1.75s 13.35s 14.35s 27.45s 28.45s 44.55s",
		},
		{
			`{"install": {"timeout": "2m"}, "timeout": "9m", "rollback": {"timeout": "10s"}, "upgrade": {"remediation": {"retries": 1}}}`,
			"upgrade-fails",
			Options{},
			"0s 9m 9m21s 18m21s",
		},
	} {
		found, err := Find(c.scenario)
		if err != nil {
			t.Fatal(err)
		}
		var times []string
		for _, s := range Run(decode(t, c.spec, false), release.Controller{}, found, c.opts).Steps {
			times = append(times, Readable(s.At.Duration))
		}
		if got := strings.Join(times, " "); got != c.want {
			t.Errorf("%s of %s: at %s, want %s", c.scenario, c.spec, got, c.want)
		}
	}
}

// TestCancel: with the gate CancelHealthCheckOnNewRevision an event ends the wait of an
// upgrade, which has failed then and counts, and a rollback has no time left.
func TestCancel(t *testing.T) {
	for _, c := range []struct{ spec, scenario, off, on string }{
		{specDefaults, "fix-during-upgrade", "U- U+ Ready 5m30s", "U- U+ Ready 3m10s"},
		{specBounded, "fix-during-upgrade", "U- R+ U+ Ready 6m10s", "U- R- U+ Ready 3m11s"},
		{specRetry, "fix-during-upgrade", "U- U+ Ready 5m30s", "U- U+ Ready 3m10s"},
		{specDefaults, "reconcile-during-upgrade", "U+ Ready 30s", "U- Stalled 2m40s"},
		{specBounded, "reconcile-during-upgrade", "U+ Ready 30s", "U- R- R+ U+ Ready 3m53s"},
		{specRetry, "reconcile-during-upgrade", "U+ Ready 30s", "U- U+ Ready 3m10s"},
		{`{"waitStrategy": {"name": "legacy"}}`, "reconcile-during-upgrade", "U+ Ready 30s", "U+ Ready 30s"},
		{specBlind, "reconcile-during-upgrade", "U+ Ready 1s", "U+ Ready 1s"},
	} {
		found, _ := Find(c.scenario)
		for on, want := range map[bool]string{false: c.off, true: c.on} {
			gates := release.Gates{"CancelHealthCheckOnNewRevision": on}
			line := Run(decode(t, c.spec, false), release.Controller{Gates: gates}, found, Options{})
			if got := fmt.Sprint(word(line.Steps), " ", line.Outcome.End, " ", Readable(line.Outcome.After.Duration)); got != want {
				t.Errorf("%s of %s with the gate %t: %s, want %s", c.scenario, c.spec, on, got, want)
			}
		}
	}
}

// TestMaxSteps: a cut changes the steps of an endless run and nothing else.
func TestMaxSteps(t *testing.T) {
	found, _ := Find("upgrade-fails")
	run := func(spec string, limit int) Timeline {
		return Run(decode(t, spec, false), release.Controller{}, found, Options{MaxSteps: limit})
	}
	all, cut := run(specRetry, -1), run(specRetry, 3)
	if len(cut.Steps) != 3 || len(cut.Steps)+cut.More != len(all.Steps) || all.More != 0 {
		t.Errorf("%d steps and %d more of %d", len(cut.Steps), cut.More, len(all.Steps))
	}
	if cut.Outcome != all.Outcome {
		t.Errorf("outcome %+v, want %+v", cut.Outcome, all.Outcome)
	}
	if bounded := run(specBounded, 3); len(bounded.Steps) != 8 {
		t.Errorf("%d steps of a run that ends, want all 8", len(bounded.Steps))
	}
}

// TestOlderController: before 1.5.0 an uninstall after the last failed upgrade
// was the end; since then the release is installed again.
func TestOlderController(t *testing.T) {
	const spec = `{"upgrade": {"remediation": {"remediateLastFailure": true, "strategy": "uninstall"}}}`
	found, _ := Find("upgrade-fails-once")
	for version, want := range map[string]string{"1.4.9": "U- X+", "1.5.0": "U- X+ I+"} {
		line := Run(decode(t, spec, false), release.Controller{Version: version}, found, Options{})
		if got := word(line.Steps); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

func TestScenarioNames(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Scenarios() {
		if seen[s.Name] || s.Title == "" || !strings.HasSuffix(s.Description, ".") {
			t.Errorf("scenario %q is named twice or has no title or description", s.Name)
		}
		seen[s.Name] = true
	}
	if _, err := Find("nonsense"); err == nil {
		t.Error("an unknown scenario was found")
	}
}

// TestEveryRun: each run ends in one of the ends, says so, and is the same
// when it is repeated.
func TestEveryRun(t *testing.T) {
	for _, spec := range []string{specDefaults, specRetry, specBounded, specHalf, specFlapping, specBlind, specNever, specKept, specTested, specLimbo, specZero} {
		for _, s := range Scenarios() {
			line, again := forecast(t, spec, s.Name), forecast(t, spec, s.Name)
			if line.Outcome != again.Outcome || word(line.Steps) != word(again.Steps) {
				t.Errorf("%s of %s differs when repeated", s.Name, spec)
			}
			if out := line.Outcome; out.Reason == "" || strings.Contains(out.Summary, "%!") || strings.Contains(out.Summary, "the  ") {
				t.Errorf("%s of %s: %+v", s.Name, spec, out)
			}
			for _, step := range line.Steps {
				if step.Note == "" {
					t.Errorf("%s of %s: no note on the %s at %s", s.Name, spec, step.Action, step.At)
				}
			}
		}
	}
}

// FuzzRun: whatever the settings, a run ends, its steps are in the order of
// time, and what it says is whole.
func FuzzRun(f *testing.F) {
	f.Add(uint8(2), uint16(0), int64(3), int64(3), int64(300), int64(60), int64(5))
	f.Add(uint8(9), uint16(0xffff), int64(-1), int64(1<<40), int64(0), int64(0), int64(1))
	f.Fuzz(func(t *testing.T, scenario uint8, flags uint16, installRetries, upgradeRetries, retryInterval, timeout, maxHistory int64) {
		flag := func(i int) bool { return flags&(1<<i) != 0 }
		seconds := func(n int64) release.Duration {
			return release.Duration{Duration: time.Duration(max(n, 0)%1e6) * time.Second}
		}
		half := func(i int, retries int64) release.Half {
			h := release.Half{
				Strategy: release.RemediateOnFailure, Remediation: release.Rollback, Retries: int(retries), Timeout: seconds(timeout),
				RemediateLastFailure: flag(i), DisableWait: flag(i + 1), IgnoreTestFailures: flag(i + 2),
			}
			if flag(i + 3) {
				h.Strategy, h.RetryInterval = release.RetryOnFailure, seconds(retryInterval)
			}
			return h
		}
		settings := release.Settings{
			Interval: seconds(retryInterval * 2), MaxHistory: int(maxHistory),
			Install: half(0, installRetries), Upgrade: half(4, upgradeRetries),
			Test:      release.TestSettings{Enable: flag(8), IgnoreFailures: flag(9), Timeout: seconds(timeout)},
			Uninstall: release.UninstallSettings{KeepHistory: flag(10), DisableWait: flag(11), Timeout: seconds(timeout)},
			Rollback:  release.RollbackSettings{DisableWait: flag(12), Timeout: seconds(timeout)},
		}
		settings.Install.Remediation, settings.Install.Replace = release.Uninstall, flag(13)
		if flag(14) {
			settings.Upgrade.Remediation = release.Uninstall
		}
		line := Run(settings, release.Controller{}, scenarios[int(scenario)%len(scenarios)], Options{MaxSteps: -1})
		for i, s := range line.Steps {
			if i > 0 && s.At.Duration < line.Steps[i-1].At.Duration+line.Steps[i-1].Took.Duration {
				t.Errorf("step %d of %s is too early: %+v", i, line.Scenario, line.Steps[i-1:i+1])
			}
		}
		if out := line.Outcome; out.Reason == "" || out.Running == "" || strings.Contains(out.Summary, "%!") || strings.Contains(out.Summary, "the  ") {
			t.Errorf("%s: %+v", line.Scenario, out)
		}
	})
}

func forecast(t *testing.T, spec, scenario string) Timeline {
	t.Helper()
	found, err := Find(scenario)
	if err != nil {
		t.Fatal(err)
	}
	return Run(decode(t, spec, false), release.Controller{}, found, Options{})
}

// word writes steps as the letters of the recordings, K for an unlock.
func word(steps []Step) string {
	var words []string
	for _, s := range steps {
		letter, ok := letters[s.Action]
		if !ok {
			letter = "K"
		}
		words = append(words, letter+signs[s.Result])
	}
	return strings.Join(words, " ")
}
