package forecast

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/pkg/release"
)

// conditionNames are the types of conditions as the API server has them.
var conditionNames = [conditionTypes]string{"Ready", "Reconciling", "Stalled", "Released", "Remediated", "TestSuccess"}

// stateOf returns the state that a status shows. What it does not show is taken to
// be as the controller left it: Helm's storage holds what .status.history remembers,
// and what was attempted last is still wanted. That is New; whatever else the
// history remembers is Old.
func stateOf(settings *release.Settings, controller release.Controller, live *release.Live) state {
	s := state{spec: spec{Settings: settings, controller: controller, desired: New}, status: statusOf(live)}
	s.status.history = historyOf(live)
	s.spec.lean = s.merges(live)
	if s.storage.records = s.remembered(); len(s.status.history) == 0 {
		s.storage.records = s.unmanaged(live)
	}
	s.storage.contents = s.storage.lastRevision() + 1
	s.workload = s.deployedVersion(live)
	s.workload.changed = s.drifts() || s.differs(live)
	return s
}

// differs reports whether what runs could not be compared with what is wanted: then it is something
// else, which is corrected once that is possible. The message is of DetermineReleaseState in
// internal/reconcile/state.go of helm-controller.
func (s *state) differs(live *release.Live) bool {
	c := live.Condition("Ready")
	return s.spec.DriftDetection == "enabled" && c != nil && c.Reason == reasonStateError && strings.Contains(c.Message, "unable to determine cluster state")
}

// drifts reports whether what runs was changed and is changed again after each correction, which alone
// is tried again while the release progresses.
func (s *state) drifts() bool {
	c := &s.status.conditions
	return s.spec.DriftDetection == "enabled" && c[ready].status == isUnknown && c[reconciling].reason == reasonProgressingWithRetry &&
		len(s.status.history) > 0 && s.status.history.latest().status == deployed
}

func statusOf(live *release.Live) status {
	from := live.Status
	o := status{
		finalizer: live.Finalizer, deleting: live.Deleting,
		generation: int(live.Generation), observedGeneration: int(from.ObservedGeneration),
		attempted: attempted{last: Action(from.LastAttemptedReleaseAction), attemptedGeneration: int(from.LastAttemptedGeneration)},
		failures:  failures{int(from.InstallFailures), int(from.UpgradeFailures), int(from.Failures)},
		requests:  requests{live.Force, live.Reset},
	}
	if from.LastAttemptedRevision != "" {
		o.attemptedVersion = New
	}
	for t, name := range conditionNames {
		if c := live.Condition(name); c != nil {
			o.conditions[t] = condition{conditionStatus(c.Status), c.Reason, int(c.ObservedGeneration)}
		}
	}
	return o
}

func historyOf(live *release.Live) history {
	var all history
	for _, s := range live.Status.History {
		version := Old
		if s.ChartVersion == live.Status.LastAttemptedRevision {
			version = New
		}
		one := snapshot{action: Action(s.Action), record: record{
			revision: s.Version, status: recordStatus(s.Status), version: version,
			content: s.Version, lean: s.ConfigDigest == live.Status.LastAttemptedConfigDigest,
		}}
		switch {
		case s.HasTestInPhase("Failed"):
			one.tests = testsFailed
		case s.HasBeenTested():
			one.tests = passed
		}
		all = append(all, one)
	}
	all.sort()
	return all.named(live.Status.LastAttemptedConfigDigest == "")
}

// named tells releases of one chart version with different values apart. Where the
// values are not known, the chart decides.
func (h history) named(unknownValues bool) history {
	for i := range h {
		if !h[i].lean && !unknownValues {
			h[i].version = Old
		}
		h[i].lean = false
	}
	return h
}

// merges reports whether what runs can never be what is wanted: the chart is, but
// values that were preserved are not.
func (s *state) merges(live *release.Live) bool {
	if !s.spec.Upgrade.PreserveValues || len(s.status.history) == 0 || len(live.Status.History) == 0 {
		return false
	}
	latest := s.status.history.latest()
	merged := latest.version == Old && latest.status == deployed && s.status.conditions[ready].status == isTrue &&
		live.Status.History.Latest().ChartVersion == live.Status.LastAttemptedRevision
	if merged {
		latest.version = New
	}
	return merged
}

// mostRecords are as many records as matter.
const mostRecords = 20

// remembered returns the records of Helm's storage that the status allows.
func (s *state) remembered() []record {
	h := s.status.history
	if len(h) == 0 || h.latest().status == uninstalling && s.uninstalledWell() {
		return nil
	}
	newest := h.latest().revision
	oldest := 1
	if limit := s.spec.MaxHistory; limit > 0 {
		oldest = max(1, newest-limit+1)
	}
	oldest = max(oldest, newest-mostRecords)
	var records []record
	for _, one := range slices.Backward(h) {
		if one.revision < oldest && one.status == deployed { // it is never pruned
			records = append(records, one.record)
		}
	}
	for revision := oldest; revision <= newest; revision++ {
		if one := h.find(revision); one != nil {
			records = append(records, one.record)
		} else {
			records = append(records, s.forgotten(revision, newest))
		}
	}
	return records
}

var unlockedForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^Unlocked Helm release \S+\.v([0-9]{1,9}) with chart \S+?@(\S+) in (pending-[a-z]+) state`)
})

// unmanaged returns the records of a release of which the history was cleared, since Helm has one
// that the controller did not expect: one that it has unlocked, after its own end, or
// another one that it upgrades. fmtUnlockSuccess in internal/reconcile/unlock.go is the message.
func (s *state) unmanaged(live *release.Live) []record {
	if c := live.Condition("Released"); c != nil && c.Reason == reasonPendingRelease {
		if m := unlockedForm().FindStringSubmatch(c.Message); m != nil {
			revision, _ := strconv.Atoi(m[1])
			return s.unlocked(revision, m[2] == live.Status.LastAttemptedRevision, recordStatus(m[3]))
		}
	}
	if runningAction(live) == Upgrade && s.status.conditions[ready].status == isUnknown {
		return []record{{revision: 1, status: deployed, version: Old, content: 1}}
	}
	return nil
}

// unlocked returns the records that an interrupted action has left.
func (s *state) unlocked(revision int, attempted bool, was recordStatus) []record {
	last := record{revision: revision, status: failed, version: Old, content: revision}
	if attempted && was != pendingRollback {
		last.version = New
	}
	if revision <= 1 || was == pendingInstall {
		return []record{last}
	}
	return []record{{revision: revision - 1, status: deployed, version: Old, content: revision - 1}, last}
}

// forgotten returns the record of a revision that the history has dropped. Before an
// install are other attempts of it; where upgrades fail and are rolled back, the two
// alternate.
func (s *state) forgotten(revision, newest int) record {
	attempt := record{revision: revision, status: failed, version: New, content: revision}
	good := record{revision: revision, status: superseded, version: Old, content: revision}
	if s.status.last == Install {
		return record{revision: revision, status: superseded, version: New, content: revision}
	}
	alternates := s.status.failures.upgrade > 0 && s.status.last == Upgrade && !s.spec.retries(&s.status)
	if alternates && ((newest-revision)%2 == 0) == (s.status.history.latest().version == New) {
		return attempt
	}
	return good
}

// uninstalledWell reports whether the last uninstall succeeded. The snapshot of a
// release without records stays "uninstalling".
func (s *state) uninstalledWell() bool {
	return s.status.conditions[remediated].reason == reasonUninstallSucceeded || s.status.conditions[released].reason == reasonUninstallSucceeded
}

// deployedVersion returns what the cluster runs, by the newest record.
func (s *state) deployedVersion(live *release.Live) workload {
	last := s.storage.last()
	if last == nil || last.status == uninstalled {
		return workload{healthy: true}
	}
	w := workload{version: last.version, healthy: last.status == deployed}
	w.refused = !w.healthy && refusal(live)
	w.bare = w.refused && last.revision == 1
	return w
}

var refusing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`denied the request|failed calling webhook|exceeded quota|is forbidden|is invalid|Invalid value|no matches for kind|field is immutable|namespaces "[^"]*" not found`)
})

// refusal reports whether the API server refused what was applied, by the message of
// the failure.
func refusal(live *release.Live) bool { return refusing().MatchString(Failure(live)) }

// Failure returns the message of the last failure, empty if there is none. A later
// rollback leaves that of the upgrade.
func Failure(live *release.Live) string {
	for _, name := range []string{"TestSuccess", "Released", "Ready"} {
		if c := live.Condition(name); c != nil && c.Status == "False" {
			return c.Message
		}
	}
	return ""
}

// uninstallFailure returns the message of an uninstall that failed, empty if none did.
func uninstallFailure(live *release.Live) string {
	for _, name := range []string{"Remediated", "Released"} {
		if c := live.Condition(name); c != nil && c.Reason == reasonUninstallFailed {
			return c.Message
		}
	}
	return ""
}

var runningForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^Running '([a-z ]+)' action`) })

// runs returns the action that the controller has announced last, empty if the
// status does not show one.
func runningAction(live *release.Live) Action {
	c := live.Condition("Reconciling")
	if c == nil {
		return ""
	}
	m := runningForm().FindStringSubmatch(c.Message)
	if m == nil {
		return ""
	}
	return cmp.Or(announced[m[1]], Action(m[1]))
}

// announced are the actions that the controller announces under another name.
var announced = map[string]Action{"correct cluster drift": Correct}
