package forecast

import "time"

// timeline makes the result of a run that ended with a verdict.
func (s *simulation) timeline(v verdict) Timeline {
	out := Outcome{End: s.end(v), Reason: s.reason(v), Running: s.world.running(), DecidedBy: s.decider}
	if out.endless() {
		out.Every.Duration = s.every(v)
	} else {
		out.After.Duration = s.now
	}
	steps := s.steps
	out.NeedsHuman = s.needsHuman(out)
	out.Summary = s.summary(out, steps)
	shown := len(steps)
	if out.endless() && s.opts.MaxSteps >= 0 {
		shown = min(shown, s.opts.maxSteps())
	}
	return Timeline{Scenario: s.scenario.Name, Steps: steps[:shown], More: len(steps) - shown, Outcome: out}
}

func (o Outcome) endless() bool { return o.End == Retrying || o.End == Error }

func (s *simulation) end(v verdict) End {
	switch {
	case v == exceeded || v == missingTarget:
		return Stalled
	case v == mustRequeue || v == retryAfter && s.active().RetryInterval.Duration > 0:
		return Retrying
	case v == inError:
		return Error
	case v == atInterval && s.settings.Interval.Duration > 0:
		return Retrying
	case s.object.ready() && !s.settings.Suspend:
		return Ready
	}
	return Idle
}

// reason gives the reason of the outcome.
func (s *simulation) reason(v verdict) string {
	switch {
	case s.end(v) == Stalled:
		return s.object.conditions[stalled].reason
	case v == mustRequeue:
		return "backoff"
	case s.end(v) == Retrying:
		return "interval"
	case s.settings.Suspend:
		return "Suspended"
	}
	return s.object.conditions[ready].reason
}

// every gives the longest wait between the attempts of an endless run.
func (s *simulation) every(v verdict) time.Duration {
	switch v {
	case retryAfter:
		return s.active().RetryInterval.Duration
	case atInterval:
		return s.settings.Interval.Duration
	}
	return maxRetryDelay
}

// needsHuman tells whether the release would stay as it is even if the cause
// of the failure went away now. For an endless run it tries that out.
func (s *simulation) needsHuman(out Outcome) bool {
	if !out.endless() {
		return out.End != Ready || !s.world.healthy
	}
	s.world.over, s.happened = true, true
	for range 16 {
		s.first = len(s.steps)
		v := s.reconcile()
		if v == content {
			return !s.object.ready() || !s.world.healthy
		}
		wait, again := s.requeue(v)
		if !again {
			return true
		}
		s.now += wait
	}
	return true
}
