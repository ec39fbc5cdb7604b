package forecast

import "slices"

// object is what the API server keeps of a HelmRelease, as far as the
// controller's decisions depend on it.
type object struct {
	finalizer                        bool
	generation, observedGeneration   int
	history                          history
	installFailures, upgradeFailures int
	failures                         int
	last                             Action // install, upgrade or none yet
	attemptedGeneration              int
	attemptedVersion                 Version
	conditions                       conditions
}

// clone gives a copy that shares nothing with o: what is persisted of it.
func (o *object) clone() object {
	c := *o
	c.history = slices.Clone(o.history)
	return c
}

func (o *object) clearFailures() { o.installFailures, o.upgradeFailures, o.failures = 0, 0, 0 }

// failureCount gives the counter of one half of the spec.
func (o *object) failureCount(half Action) int {
	if half == Install {
		return o.installFailures
	}
	return o.upgradeFailures
}

func (o *object) countFailure(half Action) {
	if half == Install {
		o.installFailures++
	} else {
		o.upgradeFailures++
	}
}

func (o *object) ready() bool { return o.conditions[ready].status == isTrue }
