package forecast

import "slices"

// status is what the API server persists of a HelmRelease, as far as the
// controller's decisions depend on it: .status and a little metadata.
type status struct {
	finalizer          bool
	generation         int
	observedGeneration int
	attempted
	history    history
	failures   failures
	conditions conditions
	requests   requests
	place      int  // where it was installed, as spec counts
	deleting   bool // the object is being deleted
	deleted    bool // and is gone
}

// attempted is the lastAttempted... of .status.
type attempted struct {
	last                Action // install or upgrade; empty: none yet
	attemptedGeneration int
	attemptedVersion    Version
}

// failures are the counters of .status. The first two count only attempts that
// left a record.
type failures struct{ install, upgrade, all int }

// requests are the annotations of "flux reconcile" that the controller has not
// handled yet.
type requests struct{ force, reset bool }

// clone returns a copy that shares nothing with o.
func (o *status) clone() status {
	c := *o
	c.history = slices.Clone(o.history)
	return c
}

// changed reports whether another generation or version is wanted than was
// attempted last.
func (o *status) changed(desired Version) bool {
	return o.attemptedGeneration != o.generation || o.attemptedVersion != desired
}

func (o *status) clearFailures() { o.failures = failures{} }

// failureCount returns the counter of one half of the spec.
func (o *status) failureCount(half Action) int {
	if half == Install {
		return o.failures.install
	}
	return o.failures.upgrade
}

func (o *status) countFailure(half Action) {
	if half == Install {
		o.failures.install++
	} else {
		o.failures.upgrade++
	}
}
