package forecast

import (
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// The events that the package itself speaks of; [Events] lists all.
const (
	fixed         Event = "fix"
	reverted      Event = "revert"
	causeGone     Event = "cause-goes-away"
	restarted     Event = "restart"
	recordsLost   Event = "records-deleted"
	newestDeleted Event = "newest-record-deleted"
	unpreserved   Event = "stop-preserving"
)

// notice is when the controller looks at the release because of an event.
type notice int

const (
	atOnce notice = iota
	later         // when it looks at the release anyway
	never         // then, but what it sees is the same
)

// eventKind is what there is to know of an event.
type eventKind struct {
	name Event
	// noun names it in a sentence, and description says what happens.
	noun, description string
	seen              notice
	do                func(*state, *world)
}

// eventKinds in the order in which they are listed: what is published, what is
// done to the object and the controller, and what is done with Helm.
var eventKinds = []eventKind{
	{fixed, "the fix", "A good version is published.", atOnce, func(s *state, _ *world) { s.publish(Fixed) }},
	{"fix-fails", "a fix that fails", "Another version is published, and never becomes healthy either.", atOnce, func(s *state, w *world) {
		w.add(newFails)
		s.publish(BadFix)
	}},
	{reverted, "the revert", "A commit goes back to the old version.", atOnce, func(s *state, _ *world) {
		s.publish(Old)
		s.spec.lean = false
		s.status.generation++
	}},
	{"commit", "a commit", "A commit changes the spec and not the version.", atOnce, func(s *state, _ *world) { s.status.generation++ }},
	{causeGone, "the removal of the cause", "The cause of the failure goes away.", never, func(_ *state, w *world) { w.over = true }},
	{"reconcile", "flux reconcile", "Somebody runs flux reconcile helmrelease.", atOnce, func(*state, *world) {}},
	{"force", "flux reconcile --force", "Somebody runs flux reconcile helmrelease --force.", atOnce, func(s *state, _ *world) { s.status.requests.force = true }},
	{"reset", "flux reconcile --reset", "Somebody runs flux reconcile helmrelease --reset.", atOnce, func(s *state, _ *world) { s.status.requests.reset = true }},
	{"suspend", "flux suspend", "The release is suspended.", atOnce, func(s *state, _ *world) { s.suspend(true) }},
	{"resume", "flux resume", "The release is resumed.", atOnce, func(s *state, _ *world) { s.suspend(false) }},
	{"move", "the change of its target", "A commit gives the Helm release another name or another namespace.", atOnce, func(s *state, _ *world) {
		s.spec.place++
		s.status.generation++
	}},
	{"value-removed", "the removal of a value", "A commit removes a value.", atOnce, func(s *state, _ *world) {
		s.spec.lean = true
		s.status.generation++
	}},
	{unpreserved, "the removal of preserveValues", "A commit removes spec.upgrade.preserveValues.", atOnce, func(s *state, _ *world) {
		s.change(func(to *release.Settings) { to.Upgrade.PreserveValues = false })
	}},
	{"delete", "its deletion", "The HelmRelease is deleted.", atOnce, func(s *state, _ *world) { s.status.deleting = true }},
	{"drift", "a change on the cluster", "Somebody changes an object of the release on the cluster.", later, func(s *state, _ *world) {
		s.workload.changed = s.workload.version != ""
	}},
	{restarted, "a restart of the controller", "The controller is restarted while it does nothing to the release.", atOnce, func(*state, *world) {}},
	{"switch-to-retry", "the switch to RetryOnFailure", "A commit makes both halves RetryOnFailure.", atOnce, func(s *state, _ *world) {
		s.change(func(to *release.Settings) { to.Install, to.Upgrade = retried(to.Install), retried(to.Upgrade) })
	}},
	{"switch-to-rollback", "the switch to RemediateOnFailure", "A commit makes both halves RemediateOnFailure with 3 retries and rollback.", atOnce, func(s *state, _ *world) {
		s.change(func(to *release.Settings) {
			to.Install, to.Upgrade = remedied(to.Install, false), remedied(to.Upgrade, true)
		})
	}},
	{"helm-rollback", "a helm rollback", "Somebody rolls back to the old version with Helm.", later, func(s *state, _ *world) { s.helmRollback() }},
	{"helm-uninstall", "a helm uninstall", "Somebody uninstalls the release with Helm.", later, func(s *state, _ *world) {
		s.storage.records = nil
		s.workload.remove()
	}},
	{recordsLost, "the deletion of its records", "Somebody deletes all Helm records of the release.", later, func(s *state, _ *world) { s.storage.records = nil }},
	{newestDeleted, "the deletion of its newest record", "Somebody deletes the newest Helm record of the release.", later, func(s *state, _ *world) {
		if last := s.storage.last(); last != nil {
			s.storage.delete(last.revision)
		}
	}},
}

// Events lists the names of all events.
func Events() []Event {
	var names []Event
	for _, k := range eventKinds {
		names = append(names, k.name)
	}
	return names
}

// Description says in a sentence what happens.
func (e Event) Description() string { return e.kind().description }

// note says in the notes of a step what happens.
func (k eventKind) note() string {
	text := strings.TrimSuffix(k.description, ".")
	return strings.ToLower(text[:1]) + text[1:]
}

// kind returns the event's row of the table.
func (e Event) kind() eventKind {
	if i := slices.IndexFunc(eventKinds, func(k eventKind) bool { return k.name == e }); i >= 0 {
		return eventKinds[i]
	}
	return eventKind{}
}

// publish offers a version. One that was offered already takes a commit.
func (s *state) publish(version Version) {
	if s.spec.desired == version {
		s.status.generation++
	}
	s.spec.desired = version
}

// change commits other settings.
func (s *state) change(do func(*release.Settings)) {
	settings := *s.spec.Settings
	do(&settings)
	s.spec.Settings = &settings
	s.status.generation++
}

func (s *state) suspend(yes bool) {
	if s.spec.Suspend != yes {
		s.change(func(to *release.Settings) { to.Suspend = yes })
	}
}

func retried(h release.Half) release.Half {
	h.Strategy, h.RetryInterval.Duration = release.RetryOnFailure, 5*time.Minute
	return h
}

func remedied(h release.Half, last bool) release.Half {
	h.Strategy, h.RetryInterval.Duration, h.Retries, h.RemediateLastFailure = release.RemediateOnFailure, 0, 3, last
	if last {
		h.Remediation = release.Rollback
	}
	return h
}

// helmRollback does what "helm rollback" does, behind the controller's back.
func (s *state) helmRollback() {
	if !slices.ContainsFunc(s.storage.records, func(rec record) bool { return rec.version == Old }) {
		return // there is nothing to go back to
	}
	s.storage.begin()
	next := s.storage.lastRevision() + 1
	s.storage.create(record{revision: next, status: pendingRollback, version: Old}, s.spec.MaxHistory)
	s.storage.supersede()
	s.storage.set(next, deployed)
	s.workload.apply(Old, fine)
}

// Then returns the scenario with events after it. Each happens when nothing
// happens any more or, if attempts fail without end, after some of them.
func (s Scenario) Then(events ...Event) Scenario {
	s.events = slices.Clone(s.events)
	for _, e := range events {
		s.Name += "+" + string(e)
		s.Title += ", then " + e.kind().noun
		s.Description += " Then: " + e.Description()
		s.events = append(s.events, scheduled{what: e})
	}
	return s
}
