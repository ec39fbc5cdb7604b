package forecast

import "github.com/flux-remedy/remedy/pkg/release"

// reconcileResult is how a reconcile of the release ends.
type reconcileResult int

const (
	unfinished    reconcileResult = iota
	settled                       // nothing is left to do
	atInterval                    // no retries remain, but it goes on at the interval
	retryAfter                    // again after the retry interval
	mustRequeue                   // again after the backoff
	inError                       // again after the backoff, for an error
	exceeded                      // no retries remain
	missingTarget                 // nothing to roll back to
	died                          // the controller itself ended
	waiting                       // again after the wait for a prerequisite
	gone                          // the object no longer exists
)

// decision is what the controller does next with a release.
type decision struct {
	action  Action          // to run; empty if the reconcile ends here
	result  reconcileResult // how it ends; unfinished if there is an action
	half    Action          // the half of the spec that decided; empty if neither
	history history         // what .status.history keeps
}

// decide returns what to do next. It changes nothing.
func decide(spec spec, status status, storage storage, workload workload) decision {
	d := decision{history: status.history}
	switch determine(spec, status, storage, workload) {
	case inSync:
		d.history = keptInSync(spec, status)
		if status.requests.force {
			d.action = Upgrade
			break
		}
		d.result = settled
	case locked:
		d.action = Unlock
	case absent:
		d.releaseUnless(spec.exhausted(&status, Install) && !status.requests.force, Install)
	case unmanaged:
		d.history = nil
		d.action = Upgrade
	case outOfSync:
		d.releaseUnless(spec.exhausted(&status, Upgrade) && !status.requests.force, Upgrade)
	case awaiting:
		d.action = Test
	case drifted:
		if spec.DriftDetection != "enabled" {
			d.result = settled // it is reported and left
			break
		}
		d.action = Correct
	case inFailure:
		d.afterFailure(spec, status, storage)
	default:
		d.result = inError
	}
	return d
}

// keptInSync returns the snapshots to keep of a release that is in sync.
func keptInSync(spec spec, status status) history {
	if spec.retries(&status) && spec.controller.Does(release.RetryLimitsHistory) {
		return status.history.newest()
	}
	return status.history.truncate(spec.ignoresTests(&status))
}

// releaseUnless chooses to install or upgrade, or to give up.
func (d *decision) releaseUnless(exhausted bool, action Action) {
	if exhausted {
		d.half, d.result = action, exceeded
		return
	}
	d.action = action
}

// afterFailure chooses between another upgrade, a remediation and giving up.
func (d *decision) afterFailure(spec spec, status status, storage storage) {
	if spec.retries(&status) {
		if d.action = Upgrade; spec.controller.Does(release.RetryLimitsHistory) {
			d.history = d.history.newest()
		}
		return
	}
	if status.last == "" || status.failureCount(status.last) <= 0 || status.requests.force {
		d.action = Upgrade
		return
	}
	d.half = status.last
	if spec.exhausted(&status, d.half) && !spec.active(&status).RemediateLastFailure {
		d.result = exceeded
		return
	}
	d.history = d.history.truncate(spec.active(&status).IgnoreTestFailures)
	if spec.remediation(&status) == release.Uninstall {
		d.action = Uninstall
		return
	}
	d.rollback(spec.active(&status).IgnoreTestFailures, storage)
}

// rollback chooses to roll back. A target that Helm no longer has as it was
// leaves only another upgrade.
func (d *decision) rollback(ignoreTests bool, storage storage) {
	i := d.history.previous(ignoreTests)
	if i < 0 {
		d.result = missingTarget
		return
	}
	target := d.history[i]
	if r := storage.get(target.revision); r == nil || r.content != target.content {
		d.action = Upgrade
		return
	}
	d.action = Rollback
}
