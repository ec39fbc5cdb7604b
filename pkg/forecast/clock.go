package forecast

import "time"

// clock is the time of a simulation.
type clock struct {
	now  time.Duration // since the start of the scenario
	over time.Duration // when the outage ends that an attempt waits through; zero: it waits through none
	opts Options
}

// quick is how long an attempt takes that fails at once or is not waited for.
const quick = time.Second

// How long it takes to undo what the API server has refused to apply: the medians of
// the recordings.
const (
	quickUninstall = 100 * time.Millisecond
	quickRollback  = 300 * time.Millisecond
)

// took returns how long an attempt takes. found is what runs before it.
func (c *clock) took(spec spec, action Action, how fate, found workload) time.Duration {
	timeout, waits := spec.waiting(action)
	if c.opts.FailAfter > 0 && action.kind() == releaseKind {
		timeout = c.opts.FailAfter
	}
	until := c.over
	c.over = 0
	switch {
	case c.opts.Instant || action == Unlock:
		return 0
	case until > 0:
		return until - c.now
	case action == Uninstall && how == fine && found.bare:
		return quickUninstall
	case action == Rollback && how == fine && found.refused:
		return quickRollback
	case !waits || how == rejected || how == unrecorded || how == hookFails:
		return quick
	case how == unhealthy && action != Test || how == targetLost:
		return timeout
	case how == canceled && action == Rollback:
		return quick
	case how.ends() || how == canceled:
		return timeout / 2
	}
	return min(c.opts.succeedAfter(), timeout)
}

// cacheWait is how long the controller waits for its cache in vain: the limit in
// HelmReleaseReconciler.Reconcile.
func (c *clock) cacheWait() time.Duration {
	if c.opts.Instant {
		return 0
	}
	return 10 * time.Second
}
