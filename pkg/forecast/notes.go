package forecast

import (
	"fmt"
	"strings"
	"time"
)

// noteNext says of the last action of this reconcile why another follows.
func (s *simulation) noteNext(next Action) {
	if len(s.steps) == s.first {
		return
	}
	switch last := s.steps[len(s.steps)-1].Action; {
	case next == Test:
		s.note("deployed, next its tests")
	case next.kind() == remediationKind || last != Unlock:
		s.note("%s, next the %s", s.budget(), next)
	default:
		s.note("unlocked, but .status.history does not know it: forgets all earlier releases, next the %s", next)
	}
}

// noteEnd says of the last action of this reconcile what the controller does
// after it.
func (s *simulation) noteEnd(v verdict, wait time.Duration, again bool) {
	if len(s.steps) == 0 {
		return
	}
	ran := len(s.steps) > s.first
	switch {
	case v == exceeded:
		s.note("Stalled: %s, %s", reasonRetriesExceeded, s.budget())
	case v == missingTarget:
		s.note("Stalled: %s, .status.history holds no earlier good release", reasonMissingTarget)
	case !ran:
	case v == died:
		s.note("what the controller knew of this attempt is lost; it starts again")
	case v == inError:
		s.note("no record written, so it does not count; again in %s", Readable(wait))
	case v == mustRequeue:
		s.note("%s; again in %s", s.budget(), Readable(wait))
	case v == retryAfter && again:
		s.note("RetryOnFailure; again in %s", Readable(wait))
	case v == retryAfter:
		s.note("RetryOnFailure with a retry interval of zero: never again")
	case s.object.ready():
		s.note("Ready")
	case again:
		s.note("no retries left, but not stalled: again at the interval, in %s", Readable(wait))
	default:
		s.note("not ready, and nothing more is done about it")
	}
}

// budget tells how much of the active half's retries is used.
func (s *simulation) budget() string {
	half := s.decider
	if half == "" {
		half = s.object.last
	}
	count, retries := s.object.failureCount(half), s.half(half).Retries
	if retries < 0 {
		return fmt.Sprintf("%s failure %d of unlimited", half, count)
	}
	return fmt.Sprintf("%s failure %d of at most %d", half, count, retries+1)
}

// note adds to what is said of the last step.
func (s *simulation) note(format string, args ...any) {
	last := &s.steps[len(s.steps)-1]
	text := fmt.Sprintf(format, args...)
	if last.Note != "" {
		text = last.Note + "; then " + text
	}
	last.Note = text
}

// Readable writes a duration as an operator reads it: 750ms, 30s, 5m41s, 1h5m;
// from a minute on in whole seconds, from an hour on in whole minutes.
func Readable(d time.Duration) string {
	switch {
	case d >= time.Hour:
		d = d.Round(time.Minute)
	case d >= time.Minute:
		d = d.Round(time.Second)
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
