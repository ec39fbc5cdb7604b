package forecast

import "time"

// outcome returns how a run ended, without the summary. result is that of the
// last reconcile.
func (s *simulation) outcome(result reconcileResult) Outcome {
	end := endOf(&s.state, result)
	out := Outcome{
		End: end, Reason: reasonOf(&s.state, end, result),
		Running: s.workload.running(), DecidedBy: s.journal.decidedBy,
	}
	if out.Endless() {
		out.Every.Duration = longestWait(&s.state, result)
		out.NeedsHuman = !s.recovers()
	} else {
		out.After.Duration = s.clock.now
		out.NeedsHuman = out.End != Ready && out.End != Deleted || !s.workload.healthy || out.Reason == reasonLeftBehind
	}
	return out
}

// endOf returns the kind of end.
func endOf(s *state, result reconcileResult) End {
	switch {
	case result == exceeded || result == missingTarget:
		return Stalled
	case result == mustRequeue || result == retryAfter && s.spec.active(&s.status).RetryInterval.Duration > 0:
		return Retrying
	case result == inError:
		return Error
	case result == waiting:
		return Waiting
	case result == gone:
		return Deleted
	case result == atInterval && s.spec.Interval.Duration > 0:
		return Retrying
	case s.status.ready() && !s.spec.Suspend:
		return Ready
	}
	return Idle
}

// reasonOf returns the reason of the end.
func reasonOf(s *state, end End, result reconcileResult) string {
	switch {
	case end == Stalled:
		return s.status.conditions[stalled].reason
	case result == mustRequeue:
		return "backoff"
	case end == Retrying:
		return "interval"
	case end == Deleted && s.workload.version != "":
		return reasonLeftBehind
	case end == Deleted:
		return reasonUninstallSucceeded
	case s.spec.Suspend:
		return reasonSuspended
	}
	return s.status.conditions[ready].reason
}

// longestWait returns the longest wait between the attempts of an endless run.
func longestWait(s *state, result reconcileResult) time.Duration {
	switch result {
	case retryAfter:
		return s.spec.active(&s.status).RetryInterval.Duration
	case atInterval:
		return s.spec.Interval.Duration
	case waiting:
		return requeueDependency
	}
	return maxRetryDelay
}
