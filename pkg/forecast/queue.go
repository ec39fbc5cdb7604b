package forecast

import "time"

// The delays of the controller's work queue, its flags --min-retry-delay and
// --max-retry-delay.
const (
	minRetryDelay = 750 * time.Millisecond
	maxRetryDelay = 15 * time.Minute
)

// queue is the controller's work queue, with one object in it.
type queue struct {
	backoffs int // rate-limited requeues in a row
}

// add puts the object back after a reconcile. It returns how long the object
// waits there; again is false if it is not put back.
func (q *queue) add(result reconcileResult, spec spec, status *status) (wait time.Duration, again bool) {
	switch result {
	case settled, atInterval:
		wait = spec.Interval.Duration
	case retryAfter:
		wait = spec.active(status).RetryInterval.Duration
	case waiting:
		wait = requeueDependency
	case mustRequeue, inError:
		return q.backoff(), true
	case died:
		*q = queue{}
		return 0, true
	case exceeded, missingTarget, gone:
		return 0, false
	}
	q.backoffs = 0
	return wait, wait > 0
}

func (q *queue) backoff() time.Duration {
	wait := min(minRetryDelay<<min(q.backoffs, 20), maxRetryDelay)
	q.backoffs++
	return wait
}
