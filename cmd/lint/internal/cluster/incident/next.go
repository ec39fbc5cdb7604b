package incident

import (
	"fmt"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
)

// next says what Flux does next, and what comes of it, in each situation that the
// status allows.
func (s *subject) next() []string {
	if s.healthy() {
		return []string{fmt.Sprintf("Flux looks again every %s", forecast.Readable(s.Settings.Interval.Duration))}
	}
	all := words.Of(s.outlooks, s.follows)
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
		return s.atOnce("Flux looks", o.Gone.Brief())
	}
	return s.when(o) + s.prospects(o)
}

func (s *subject) deletion(o forecast.Outlook) string {
	switch {
	case len(o.Gone.Steps) == 0 && s.likeliest().Now != forecast.Nothing:
		return "Flux lets go of it at once, and what runs stays on the cluster"
	case len(o.Gone.Steps) == 0:
		return "Flux lets go of it at once"
	case o.Next.Wait.Duration == 0:
		return s.atOnce("Flux uninstalls it", "it is gone")
	}
	return fmt.Sprintf("Flux tries to uninstall it again within %s of the last time; the wait doubles each time", forecast.Readable(forecast.Longest))
}

// atOnce says what Flux does as soon as the object is created or deleted, and what it means if
// that was long ago.
func (s *subject) atOnce(does, then string) string {
	if !s.live.Since.IsZero() && s.now.Sub(s.live.Since) > forecast.Longest+s.Settings.Timeout.Duration {
		return fmt.Sprintf(Overdue+": %s, and watches its namespace; then %s", s.lookAtController(), then)
	}
	return does + " at once; then " + then
}

// Overdue is what [Incident.Next] says of what should have come.
const Overdue = "overdue"

// lookAtController says what to do where the controller is late.
func (s *subject) lookAtController() string {
	return fmt.Sprintf("look whether helm-controller runs (%s)", s.to.At("flux check"))
}

// when says when Flux looks at the release, and what it does then.
func (s *subject) when(o forecast.Outlook) string {
	does := "Flux looks"
	switch action := announced(o); action {
	case "":
	case forecast.Unlock:
		does = "Flux unlocks the release"
	default:
		does = "the next " + string(action) + " comes"
	}
	switch {
	case s.Settings.Suspend:
		return "nothing until it is resumed"
	case !o.Next.Again:
		return s.idle(o)
	case s.overdue(o.Next.Running):
		return fmt.Sprintf(Overdue+" since %s: %s; if it does, have it look again: %s",
			s.live.Moved().Add(s.limit(o.Next.Running)).UTC().Format(clock), s.lookAtController(), s.to.Command("flux reconcile helmrelease NAME", s.Release))
	case o.Next.Running != "":
		return fmt.Sprintf("the %s ends within %s", o.Next.Running, forecast.Readable(s.limit(o.Next.Running)))
	case o.Next.Wait.Duration == 0:
		return does + " at once"
	case o.Stays.Outcome.End == forecast.Waiting:
		return "Flux looks every " + forecast.Readable(o.Next.Wait.Duration)
	case !o.Next.Backoff && len(o.Stays.Steps) == 0: // what changes nothing moves no time
		return "Flux looks every " + forecast.Readable(o.Next.Wait.Duration)
	case o.Next.Backoff && s.repeatsUnseen():
		return fmt.Sprintf("%s within %s of the last time; the wait doubles each time", does, forecast.Readable(forecast.Longest))
	}
	return s.at(does, o.Next)
}

// idle says what makes Flux look again at a release that it does not look at by itself.
func (s *subject) idle(o forecast.Outlook) string {
	i := slices.IndexFunc(o.Ways, func(w forecast.Way) bool { return w.Is("reconcile") })
	switch {
	case i >= 0 && !o.Ways[i].Restores:
		return "nothing by itself"
	case i >= 0 || slices.ContainsFunc(o.Vain, func(w forecast.Way) bool { return w.Is("reconcile") && w.Acts() }):
		return "nothing by itself, but each \"flux reconcile\" makes Flux try again"
	}
	return "nothing: neither the interval nor \"flux reconcile\" makes Flux try again"
}

// repeatsUnseen reports whether the same failure may repeat itself without a trace in the
// status: nothing of it changes where the controller does not get as far as the release, or cannot
// uninstall it.
func (s *subject) repeatsUnseen() bool { return forecast.Unmet(s.live) || s.live.Deleting }

// at says when the object is due: a time, if the status has one. After a back-off that is known
// only by its limits.
func (s *subject) at(does string, next forecast.Next) string {
	moved := s.live.Moved()
	if moved.IsZero() {
		return does + " " + forecast.Readable(next.Wait.Duration) + " after the last attempt"
	}
	due, latest := moved.Add(next.Wait.Duration), moved.Add(next.Most.Duration)
	switch late := s.now.Sub(latest); {
	case late > forecast.Longest:
		return fmt.Sprintf(Overdue+" since %s: %s", latest.UTC().Format(clock), s.lookAtController())
	case late > 0:
		return does + " any moment now"
	case next.Backoff && due.After(s.now):
		return fmt.Sprintf("%s by %s, likely at %s", does, latest.UTC().Format(clock), due.UTC().Format(time.TimeOnly))
	case next.Backoff:
		return fmt.Sprintf("%s by %s", does, latest.UTC().Format(clock))
	}
	return fmt.Sprintf("%s at about %s", does, due.UTC().Format(clock))
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

// overdue reports whether an action that was announced, or a reconcile that has announced none, should have ended long
// ago: each hook and each wait may take its timeout. A controller that runs has then given up writing the status of a
// release that it gave up, which it tries five times: nothing but a change or a request makes it look again.
// Source: patchStatusConditions in github.com/fluxcd/pkg/runtime/patch.
func (s *subject) overdue(running forecast.Action) bool {
	began := s.live.Moved()
	return (running != "" || s.looks()) && !began.IsZero() && s.now.Sub(began) >= 4*s.limit(running)
}

// prospects say what comes of it.
func (s *subject) prospects(o forecast.Outlook) string {
	if !o.Next.Again || s.Settings.Suspend || s.overdue(o.Next.Running) {
		return ""
	}
	stays, gone := o.Stays.Brief(), o.Gone.Brief()
	after, well := o.Stays.After(o.Next.Running).Brief(), o.Gone.After(o.Next.Running).Brief()
	switch {
	case o.Next.Running != "" && after == well:
		return "; then " + after
	case o.Next.Running != "":
		return fmt.Sprintf("; if it goes well: %s; if it fails: %s", well, after)
	case stays == gone:
		return "; then " + o.Stays.After(announced(o)).Brief()
	case o.Stays.Outcome.End == forecast.Waiting:
		return "; once it is there: " + gone
	case s.reason("Reconciling") == "Progressing" && s.is("Ready", "Unknown"):
		return fmt.Sprintf("; if it goes well: %s; if it fails: %s", gone, stays)
	}
	return fmt.Sprintf("; while the cause stays: %s; once it is gone: %s", stays, gone)
}

// announced returns the action that [subject.when] names; empty if it names none.
func announced(o forecast.Outlook) forecast.Action {
	if len(o.Stays.Steps) == 0 {
		return ""
	}
	return o.Stays.Steps[0].Action
}
