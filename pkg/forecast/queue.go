package forecast

import "time"

// The delays of the controller's work queue, its flags --min-retry-delay and
// --max-retry-delay.
const (
	minRetryDelay = 750 * time.Millisecond
	maxRetryDelay = 15 * time.Minute
)

// cacheWait is how much longer than the backoff the controller takes after each
// remediation that is followed by another attempt: it waits for its cache, and
// compares times of different precision.
const cacheWait = 10 * time.Second

// maxReconciles ends any run: with the backoff at its longest that is three weeks.
const maxReconciles = 2000

// requeue gives when the controller reconciles the object again, if at all.
func (s *simulation) requeue(v verdict) (wait time.Duration, again bool) {
	switch v {
	case content, atInterval:
		wait = s.settings.Interval.Duration
	case retryAfter:
		wait = s.active().RetryInterval.Duration
	case mustRequeue, inError:
		return s.backoff(), true
	case died:
		s.backoffs, s.rounds = 0, 0
		return 0, true
	case exceeded, missingTarget:
		return 0, false
	}
	s.backoffs = 0
	return wait, wait > 0
}

func (s *simulation) backoff() time.Duration {
	wait := min(minRetryDelay<<min(s.backoffs, 20), maxRetryDelay)
	s.backoffs++
	if !s.opts.Instant && s.remediates() {
		wait += cacheWait
	}
	return wait
}

// remediates tells whether this reconcile ended with a remediation.
func (s *simulation) remediates() bool {
	n := len(s.steps)
	return n > s.first && s.steps[n-1].Action.kind() == remediationKind
}

// endless tells whether enough has been seen to say that nothing changes any
// more: all retries would have been used up and all outages be over. Where
// retry interval and backoff take turns, it lets the interval be the last.
func (s *simulation) endless(v, before verdict) bool {
	if s.opts.Rounds > 0 {
		return s.rounds >= s.opts.Rounds
	}
	for _, t := range s.world.troubles {
		if t.outage && s.now < s.world.outage {
			s.rounds = 0
			return false
		}
	}
	budget := s.retriesOf(Install) + s.retriesOf(Upgrade)
	enough := s.rounds > 2*budget+max(16, s.opts.maxSteps())
	return enough && (v != mustRequeue || before != retryAfter)
}

// retriesOf gives how often a half retries, within what is simulated.
func (s *simulation) retriesOf(half Action) int {
	return min(max(s.half(half).Retries, 0), maxReconciles)
}
