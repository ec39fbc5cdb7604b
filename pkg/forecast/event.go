package forecast

import (
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Event names something that happens from outside. [Scenario.Then] adds events to
// a scenario.
type Event string

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
	do                func(*reconciler)
}

// eventKinds in the order in which they are listed: what is published, what is
// done to the object and the controller, and what is done with Helm.
var eventKinds = []eventKind{
	{fixed, "the fix", "A good version is published.", atOnce, func(r *reconciler) { r.publish(Fixed) }},
	{"fix-fails", "a fix that fails", "Another version is published, and never becomes healthy either.", atOnce, func(r *reconciler) {
		r.world.add(newFails)
		r.publish(BadFix)
	}},
	{reverted, "the revert", "A commit goes back to the old version.", atOnce, func(r *reconciler) {
		r.publish(Old)
		r.spec.lean = false
		r.status.generation++
	}},
	{"commit", "a commit", "A commit changes the spec and not the version.", atOnce, func(r *reconciler) { r.status.generation++ }},
	{causeGone, "the removal of the cause", "The cause of the failure goes away.", never, func(r *reconciler) { r.world.over = true }},
	{"reconcile", "flux reconcile", "Somebody runs flux reconcile helmrelease.", atOnce, func(*reconciler) {}},
	{"force", "flux reconcile --force", "Somebody runs flux reconcile helmrelease --force.", atOnce, func(r *reconciler) { r.status.requests.force = true }},
	{"reset", "flux reconcile --reset", "Somebody runs flux reconcile helmrelease --reset.", atOnce, func(r *reconciler) { r.status.requests.reset = true }},
	{"suspend", "flux suspend", "The release is suspended.", atOnce, func(r *reconciler) { r.suspend(true) }},
	{"resume", "flux resume", "The release is resumed.", atOnce, func(r *reconciler) { r.suspend(false) }},
	{"move", "the change of its target", "A commit gives the Helm release another name or another namespace.", atOnce, func(r *reconciler) {
		r.spec.place++
		r.status.generation++
	}},
	{"value-removed", "the removal of a value", "A commit removes a value.", atOnce, func(r *reconciler) {
		r.spec.lean = true
		r.status.generation++
	}},
	{unpreserved, "the removal of preserveValues", "A commit removes spec.upgrade.preserveValues.", atOnce, func(r *reconciler) {
		r.change(func(s *release.Settings) { s.Upgrade.PreserveValues = false })
	}},
	{"delete", "its deletion", "The HelmRelease is deleted.", atOnce, func(r *reconciler) { r.status.deleting = true }},
	{"drift", "a change on the cluster", "Somebody changes an object of the release on the cluster.", later, func(r *reconciler) {
		r.workload.changed = r.workload.version != ""
	}},
	{restarted, "a restart of the controller", "The controller is restarted while it does nothing to the release.", atOnce, func(*reconciler) {}},
	{"switch-to-retry", "the switch to RetryOnFailure", "A commit makes both halves RetryOnFailure.", atOnce, func(r *reconciler) {
		r.change(func(s *release.Settings) { s.Install, s.Upgrade = retried(s.Install), retried(s.Upgrade) })
	}},
	{"switch-to-rollback", "the switch to RemediateOnFailure", "A commit makes both halves RemediateOnFailure with 3 retries and rollback.", atOnce, func(r *reconciler) {
		r.change(func(s *release.Settings) {
			s.Install, s.Upgrade = remedied(s.Install, false), remedied(s.Upgrade, true)
		})
	}},
	{"helm-rollback", "a helm rollback", "Somebody rolls back to the old version with Helm.", later, (*reconciler).helmRollback},
	{"helm-uninstall", "a helm uninstall", "Somebody uninstalls the release with Helm.", later, func(r *reconciler) {
		r.storage.records = nil
		r.workload.remove()
	}},
	{recordsLost, "the deletion of its records", "Somebody deletes all Helm records of the release.", later, func(r *reconciler) { r.storage.records = nil }},
	{newestDeleted, "the deletion of its newest record", "Somebody deletes the newest Helm record of the release.", later, func(r *reconciler) {
		if last := r.storage.last(); last != nil {
			r.storage.delete(last.revision)
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
func (r *reconciler) publish(version Version) {
	if r.spec.desired == version {
		r.status.generation++
	}
	r.spec.desired = version
}

// change commits other settings.
func (r *reconciler) change(do func(*release.Settings)) {
	settings := *r.spec.Settings
	do(&settings)
	r.spec.Settings = &settings
	r.status.generation++
}

func (r *reconciler) suspend(yes bool) {
	if r.spec.Suspend != yes {
		r.change(func(s *release.Settings) { s.Suspend = yes })
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
func (r *reconciler) helmRollback() {
	if !slices.ContainsFunc(r.storage.records, func(rec record) bool { return rec.version == Old }) {
		return // there is nothing to go back to
	}
	r.storage.begin()
	next := r.storage.lastRevision() + 1
	r.storage.create(record{revision: next, status: pendingRollback, version: Old}, r.spec.MaxHistory)
	r.storage.supersede()
	r.storage.set(next, deployed)
	r.workload.apply(Old, fine)
}
