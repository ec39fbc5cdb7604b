package incident

import (
	"fmt"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// next says what Flux does next, and what comes of it, in each situation that the
// status allows.
func (s *subject) next() []string {
	if s.healthy() {
		return []string{fmt.Sprintf("Flux looks again every %s", forecast.Readable(s.Settings.Interval.Duration))}
	}
	var all []string
	for _, o := range s.outlooks {
		all = append(all, s.follows(o))
	}
	if same := slices.Compact(slices.Clone(all)); len(same) == 1 {
		return same
	}
	for i, o := range s.outlooks {
		if o.Assumed != "" {
			all[i] = "if " + o.Assumed + ": " + all[i]
		}
	}
	return all
}

// follows says what Flux does next in a situation, and what comes of it.
func (s *subject) follows(o forecast.Outlook) string {
	switch {
	case s.live.Deleting:
		return s.deletion(o)
	case s.isNew() && !s.Settings.Suspend:
		return s.atOnce("Flux looks at once; then " + o.Gone.Brief())
	}
	return s.when(o) + s.prospects(o)
}

// deletion says how the deletion goes on.
func (s *subject) deletion(o forecast.Outlook) string {
	switch {
	case len(o.Gone.Steps) == 0 && s.likeliest().Now != forecast.Nothing:
		return "Flux lets go of it at once, and what runs stays on the cluster"
	case len(o.Gone.Steps) == 0:
		return "Flux lets go of it at once"
	case o.Next.Wait.Duration == 0:
		return s.atOnce("Flux uninstalls it at once; then it is gone")
	}
	return fmt.Sprintf("Flux tries to uninstall it again %s; the wait doubles each time, up to %s", s.at(o, forecast.Readable(o.Next.Wait.Duration)), forecast.Readable(forecast.Longest))
}

// atOnce says what Flux does as soon as the object is created or deleted, and what it means if
// that was long ago.
func (s *subject) atOnce(text string) string {
	if !s.live.Since.IsZero() && s.now.Sub(s.live.Since) > forecast.Longest+s.Settings.Timeout.Duration {
		text += ". This is overdue: look whether helm-controller runs and watches its namespace"
	}
	return text
}

// when says when Flux looks at the release, and what it does then.
func (s *subject) when(o forecast.Outlook) string {
	does := "Flux looks"
	if steps := o.Stays.Steps; len(steps) > 0 && steps[0].Action == forecast.Unlock {
		does = "Flux unlocks the release"
	} else if len(steps) > 0 {
		does = "the next " + string(steps[0].Action) + " comes"
	}
	wait := forecast.Readable(o.Next.Wait.Duration)
	switch {
	case s.Settings.Suspend:
		return "nothing until it is resumed"
	case !o.Next.Again && len(o.Ways) > 0 && o.Ways[0].Events[0] == "reconcile":
		return "nothing by itself"
	case !o.Next.Again:
		return "nothing: neither the interval nor \"flux reconcile\" makes Flux try again"
	case o.Next.Running != "":
		return fmt.Sprintf("the %s ends within %s%s", o.Next.Running, forecast.Readable(s.limit(o.Next.Running)), s.overdue(o.Next.Running))
	case o.Next.Wait.Duration == 0:
		return does + " at once"
	case o.Next.Backoff:
		return fmt.Sprintf("%s %s; the wait doubles each time, up to %s", does, s.at(o, wait), forecast.Readable(forecast.Longest))
	case o.Stays.Outcome.End == forecast.Waiting:
		return "Flux looks every " + wait
	}
	return does + " " + s.at(o, wait)
}

// at says when the object is due: a time, if the status has one.
func (s *subject) at(o forecast.Outlook, wait string) string {
	c := s.live.Condition("Ready")
	if c == nil || c.LastTransitionTime.IsZero() {
		return wait + " after the last attempt"
	}
	due := c.LastTransitionTime.Add(o.Next.Wait.Duration)
	text := fmt.Sprintf("at about %s (%s after the last attempt)", due.UTC().Format(clock), wait)
	if s.now.Sub(due) > forecast.Longest {
		text += ", which is long past: look whether helm-controller runs"
	}
	return text
}

const clock = "2006-01-02 15:04:05 UTC"

// limit returns how long an action may take.
func (s *subject) limit(action forecast.Action) time.Duration {
	timeout := s.Settings.Timeout.Duration
	switch action {
	case forecast.Install:
		timeout = s.Settings.Install.Timeout.Duration
	case forecast.Upgrade:
		timeout = s.Settings.Upgrade.Timeout.Duration
	case forecast.Rollback:
		timeout = s.Settings.Rollback.Timeout.Duration
	case forecast.Uninstall:
		timeout = s.Settings.Uninstall.Timeout.Duration
	case forecast.Test:
		timeout = s.Settings.Test.Timeout.Duration
	}
	return max(timeout, time.Second)
}

// overdue says what it means if an action that was announced should have ended long ago: each
// hook and each wait may take its timeout. A controller that runs has then given up writing the status of a release
// that it gave up, which it tries five times: nothing but a change or a request makes it look again.
// Source: patchStatusConditions in github.com/fluxcd/pkg/runtime/patch.
func (s *subject) overdue(action forecast.Action) string {
	c := s.live.Condition("Ready")
	if c == nil || c.LastTransitionTime.IsZero() || s.now.Sub(c.LastTransitionTime.Time) < 4*s.limit(action) {
		return ""
	}
	return ", which is long past: look whether helm-controller runs; if it does, it could not write the status, and flux reconcile makes it look again"
}

// prospects say what comes of it.
func (s *subject) prospects(o forecast.Outlook) string {
	if !o.Next.Again || s.Settings.Suspend {
		return ""
	}
	stays, gone := o.Stays.Brief(), o.Gone.Brief()
	switch {
	case stays == gone:
		return "; then " + stays
	case o.Stays.Outcome.End == forecast.Waiting:
		return "; once it is there: " + gone
	case s.reason("Reconciling") == "Progressing" && s.is("Ready", "Unknown"):
		return fmt.Sprintf("; if it goes well: %s; if it fails: %s", gone, stays)
	}
	return fmt.Sprintf("; while the cause stays: %s; once it is gone: %s", stays, gone)
}
