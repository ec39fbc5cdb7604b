package forecast

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// The law that the rules rest on, over the product of all settings that bear
// on failure: of all releases exactly the class retry keeps the promise of
// retry, and exactly the class bounded keeps the promise of bounded. So each
// release of neither class breaks each promise in some scenario.
//
// retry promises, in every scenario: the release is never given up, and it is
// Ready once the cause of the failure is gone.
//
// bounded promises, in the scenarios of bounded below: a failed upgrade ends on
// the old version after a bounded number of attempts, and the release is Ready
// after a failure that passes, after a fix or a revert, and after a restart of
// the controller.
//
// The limits of the law:
//
//   - Nothing is promised where health is not waited for (disableWait).
//   - retry with install.remediation.retries 0 is given up when the record of a
//     failed install is deleted by hand; any other number avoids that.
//   - bounded cannot reinstall where the history is kept without
//     install.replace: that deadlock has a rule of its own.
//   - bounded does not promise the old version back if the controller ends in
//     mid-upgrade and the upgrade fails after that: the status that names the
//     rollback target is lost. [TestBoundedRestartLimit] states it.
func TestLaw(t *testing.T) {
	t.Parallel()
	kept := map[string]int{}
	for _, written := range product(t) {
		for _, c := range variants(written) {
			retry, bounded := keepsRetry(c.settings), keepsBounded(c.settings)
			if want := isRetry(c.settings) && !blindly(c.settings) && c.settings.Install.Retries != 0; retry != "" == want {
				t.Fatalf("%s: retry class is %t, but its promise: %s", c, want, orKept(retry))
			}
			if want := isBounded(c.settings) && !blindly(c.settings) && !deadlock(c.settings); bounded != "" == want {
				t.Fatalf("%s: bounded class is %t, but its promise: %s", c, want, orKept(bounded))
			}
			kept[fmt.Sprint(retry == "", bounded == "")]++
		}
	}
	if kept["true false"] == 0 || kept["false true"] == 0 || kept["false false"] == 0 || kept["true true"] > 0 {
		t.Errorf("releases that keep the promises of retry and bounded: %v", kept)
	}
	t.Logf("releases that keep the promises of retry and bounded: %v", kept)
}

// TestRetryRecordDeleted: the one scenario in which retry is given up.
func TestRetryRecordDeleted(t *testing.T) {
	for _, c := range product(t) {
		if !isRetry(c.settings) {
			continue
		}
		for _, s := range scenarios {
			broken := !retryHolds(s, Run(c.settings, release.Controller{}, s, Options{}).Outcome)
			if want := s.Name == "record-deleted" && c.settings.Install.Retries == 0; broken != want {
				t.Errorf("%s in %s: promise broken %t, want %t", c, s.Name, broken, want)
			}
		}
	}
}

// TestBoundedRestartLimit: the inherent limit of bounded, and that a fix ends
// it.
func TestBoundedRestartLimit(t *testing.T) {
	for _, c := range product(t) {
		if !isBounded(c.settings) {
			continue
		}
		for _, name := range []string{"killed-in-install-then-fails", "killed-in-upgrade-then-fails", "stopped-in-upgrade-then-fails", "killed-in-rollback-then-fails"} {
			s, _ := Find(name)
			out := Run(c.settings, release.Controller{}, s, Options{}).Outcome
			if out.End != Stalled || out.Reason != reasonMissingTarget || out.Running != FailedNew {
				t.Errorf("%s in %s: %s", c, name, out)
			}
			s.events = []scheduled{{what: fixed, after: 1000}}
			if out := Run(c.settings, release.Controller{}, s, Options{}).Outcome; out.End != Ready {
				t.Errorf("%s in %s, then a fix: %s", c, name, out)
			}
		}
	}
}

// The classes, worked out here on their own.

func isRetry(c release.Settings) bool {
	return c.Install.Strategy == "RetryOnFailure" && c.Upgrade.Strategy == "RetryOnFailure" &&
		c.Install.RetryInterval.Duration > 0 && c.Upgrade.RetryInterval.Duration > 0
}

func isBounded(c release.Settings) bool {
	return c.Install.Strategy == "RemediateOnFailure" && c.Upgrade.Strategy == "RemediateOnFailure" &&
		c.Install.Retries > 0 && c.Upgrade.Retries > 0 &&
		c.Upgrade.Remediation == "rollback" && c.Upgrade.RemediateLastFailure
}

func blindly(c release.Settings) bool { return c.Install.DisableWait || c.Upgrade.DisableWait }

func deadlock(c release.Settings) bool { return c.Uninstall.KeepHistory && !c.Install.Replace }

// keepsRetry returns how the promise is broken, empty if it is kept.
func keepsRetry(c release.Settings) string {
	for _, s := range scenarios {
		if out := Run(c, release.Controller{}, s, Options{}).Outcome; !retryHolds(s, out) {
			return s.Name + ": " + out.Summary
		}
	}
	return ""
}

func retryHolds(s Scenario, out Outcome) bool {
	return !out.NeedsHuman && (out.End == Ready || out.End == Deleted || out.Endless() && !passes(s))
}

// passes reports whether what is wrong in the scenario goes away.
func passes(s Scenario) bool {
	for _, e := range s.events {
		if e.what == fixed || e.what == reverted || e.what == causeGone {
			return true
		}
	}
	return s.lacks == "" && !slices.ContainsFunc(s.troubles, func(t trouble) bool {
		kept := slices.Contains(t.with, Upgrade) || slices.Contains(t.with, Test) || slices.Contains(t.with, Correct) || s.Name == "deletion-fails"
		return t.times == 0 && !t.outage && kept
	})
}

// bounded holds what the class promises, by scenario.
var bounded = map[string]func(release.Settings, Outcome) bool{
	"install-fails":       givenUp,
	"install-test-fails":  func(c release.Settings, o Outcome) bool { return givenUp(c, o) == c.Test.Enable },
	"upgrade-fails":       restored,
	"test-fails":          func(c release.Settings, o Outcome) bool { return restored(c, o) == c.Test.Enable },
	"install-fails-once":  recovered,
	"install-fix-arrives": recovered,
	"upgrade-fails-once":  recovered,
	"fix-arrives":         recovered,
	"revert-arrives":      recovered,
	"killed-in-install":   recovered,
	"killed-in-upgrade":   recovered,
	"stopped-in-upgrade":  recovered,
	"killed-in-rollback":  recovered,
}

func givenUp(_ release.Settings, o Outcome) bool {
	return o.End == Stalled && o.Reason == reasonRetriesExceeded
}

func restored(c release.Settings, o Outcome) bool { return givenUp(c, o) && o.Running == OldVersion }

func recovered(_ release.Settings, o Outcome) bool { return o.End == Ready && !o.NeedsHuman }

// keepsBounded returns how the promise is broken, empty if it is kept.
func keepsBounded(c release.Settings) string {
	for _, s := range scenarios {
		holds, promised := bounded[s.Name]
		if !promised {
			continue
		}
		if out := Run(c, release.Controller{}, s, Options{}).Outcome; !holds(c, out) {
			return s.Name + ": " + out.Summary
		}
	}
	return ""
}

func orKept(broken string) string {
	if broken == "" {
		return "kept"
	}
	return broken
}

// combination is a release of the product.
type combination struct {
	name     string
	settings release.Settings
}

func (c combination) String() string { return c.name }

// product returns each release with distinct effective settings, over all
// that can be written: strategy, retries, remediateLastFailure and remediation
// of both halves, and the gate that fills in an absent strategy.
func product(t *testing.T) []combination {
	var all []combination
	for _, install := range halves("") {
		for _, remediation := range []string{"", `"strategy":"rollback"`, `"strategy":"uninstall"`} {
			for _, upgrade := range halves(remediation) {
				for _, gate := range []bool{false, true} {
					spec := fmt.Sprintf(`{"install":%s,"upgrade":%s}`, install, upgrade)
					all = append(all, combination{fmt.Sprintf("%s gate %t", spec, gate), decode(t, spec, gate)})
				}
			}
		}
	}
	return distinct(all)
}

func halves(remediation string) []string {
	var all []string
	for _, strategy := range []string{"", "RemediateOnFailure", "RetryOnFailure"} {
		for _, retries := range []string{"", `"retries":0`, `"retries":1`, `"retries":-1`} {
			for _, last := range []string{"", `"remediateLastFailure":true`, `"remediateLastFailure":false`} {
				fields := slices.DeleteFunc([]string{retries, last, remediation}, func(f string) bool { return f == "" })
				half := fmt.Sprintf(`"remediation":{%s}`, strings.Join(fields, ","))
				if strategy != "" {
					half += fmt.Sprintf(`,"strategy":{"name":%q}`, strategy)
				}
				all = append(all, "{"+half+"}")
			}
		}
	}
	return all
}

func distinct(all []combination) []combination {
	seen := map[release.Settings]bool{}
	return slices.DeleteFunc(all, func(c combination) bool {
		if seen[c.settings] {
			return true
		}
		seen[c.settings] = true
		return false
	})
}

// variants returns a release with all combinations of the settings that must, or
// must not, matter beside the strategies.
func variants(c combination) []combination {
	var all []combination
	for _, limit := range []int{0, 1, 5} {
		limited := combination{fmt.Sprintf("%s, maxHistory %d", c.name, limit), c.settings}
		limited.settings.MaxHistory = limit
		all = append(all, limited)
	}
	for _, change := range []struct {
		name string
		do   func(*release.Settings)
	}{
		{"keepHistory", func(s *release.Settings) { s.Uninstall.KeepHistory = true }},
		{"replace", func(s *release.Settings) { s.Install.Replace = s.Uninstall.KeepHistory }},
		{"install blind", func(s *release.Settings) { s.Install.DisableWait = true }},
		{"upgrade blind", func(s *release.Settings) { s.Upgrade.DisableWait = true }},
		{"tests", func(s *release.Settings) { s.Test.Enable = true }},
		{"interval 0s", func(s *release.Settings) { s.Interval.Duration = 0 }},
		{"install retryInterval 0s", func(s *release.Settings) { s.Install.RetryInterval.Duration = 0 }},
		{"upgrade retryInterval 0s", func(s *release.Settings) { s.Upgrade.RetryInterval.Duration = 0 }},
	} {
		for _, base := range slices.Clone(all) {
			changed := base
			change.do(&changed.settings)
			if changed.settings != base.settings {
				changed.name += ", " + change.name
				all = append(all, changed)
			}
		}
	}
	return all
}
