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
	all := words.Of(s.outlooks, func(o forecast.Outlook) string { return situation{s, o}.follows() })
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

// situation is a release in one of the situations that its status allows.
type situation struct {
	*subject
	forecast.Outlook
}

// follows says what Flux does next in a situation, and what comes of it.
func (s situation) follows() string {
	switch {
	case s.Live.Deleting:
		return s.deletion()
	case s.isNew() && !s.Settings.Suspend:
		return s.atOnce("Flux looks", s.Gone.Brief())
	}
	return s.when() + s.prospects()
}

func (s situation) deletion() string {
	switch {
	case len(s.Gone.Steps) == 0 && s.likeliest().Now != forecast.Nothing:
		return "Flux lets go of it at once, and what runs stays on the cluster"
	case len(s.Gone.Steps) == 0:
		return "Flux lets go of it at once"
	case s.Next.Wait.Duration == 0:
		return s.atOnce("Flux uninstalls it", "it is gone")
	}
	return fmt.Sprintf("Flux tries to uninstall it again within %s of the last time; the wait doubles each time", forecast.Readable(forecast.Longest))
}

// atOnce says what Flux does as soon as the object is created or deleted, and what it means if
// that was long ago.
func (s situation) atOnce(does, then string) string {
	if !s.Live.Since.IsZero() && s.now.Sub(s.Live.Since) > forecast.Longest+s.Settings.Timeout.Duration {
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
func (s situation) when() string {
	does := "Flux looks"
	switch action := s.announced(); action {
	case "":
	case forecast.Unlock:
		does = "Flux unlocks the release"
	default:
		does = "the next " + string(action) + " comes"
	}
	switch {
	case s.Settings.Suspend:
		return "nothing until it is resumed"
	case !s.Next.Again:
		return s.idle()
	case s.overdue(s.Next.Running):
		return fmt.Sprintf(Overdue+" since %s: %s; if it does, have it look again: %s",
			s.Live.Moved().Add(s.limit(s.Next.Running)).UTC().Format(clock), s.lookAtController(), s.to.Command("flux reconcile helmrelease NAME", s.Release))
	case s.Next.Running != "":
		return fmt.Sprintf("the %s ends within %s", s.Next.Running, forecast.Readable(s.limit(s.Next.Running)))
	case s.Next.Wait.Duration == 0:
		return does + " at once"
	case s.Stays.Outcome.End == forecast.Waiting:
		return "Flux looks every " + forecast.Readable(s.Next.Wait.Duration)
	case !s.Next.Backoff && len(s.Stays.Steps) == 0: // what changes nothing moves no time
		return "Flux looks every " + forecast.Readable(s.Next.Wait.Duration)
	case s.Next.Backoff && s.repeatsUnseen():
		return fmt.Sprintf("%s within %s of the last time; the wait doubles each time", does, forecast.Readable(forecast.Longest))
	}
	return s.at(does)
}

// idle says what makes Flux look again at a release that it does not look at by itself.
func (s situation) idle() string {
	i := slices.IndexFunc(s.Ways, func(w forecast.Way) bool { return w.Is("reconcile") })
	switch {
	case i >= 0 && !s.Ways[i].Restores:
		return "nothing by itself"
	case i >= 0 || slices.ContainsFunc(s.Vain, func(w forecast.Way) bool { return w.Is("reconcile") && w.Acts() }):
		return "nothing by itself, but each \"flux reconcile\" makes Flux try again"
	}
	return "nothing: neither the interval nor \"flux reconcile\" makes Flux try again"
}

// repeatsUnseen reports whether the same failure may repeat itself without a trace in the
// status: nothing of it changes where the controller does not get as far as the release, or cannot
// uninstall it.
func (s status) repeatsUnseen() bool { return forecast.Unmet(s.Live) || s.Live.Deleting }

// at says when the object is due: a time, if the status has one. After a back-off that is known
// only by its limits.
func (s situation) at(does string) string {
	next := s.Next
	moved := s.Live.Moved()
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
	began := s.Live.Moved()
	return (running != "" || s.looks()) && !began.IsZero() && s.now.Sub(began) >= 4*s.limit(running)
}

// prospects say what comes of it.
func (s situation) prospects() string {
	if !s.Next.Again || s.Settings.Suspend || s.overdue(s.Next.Running) {
		return ""
	}
	stays, gone := s.Stays.Brief(), s.Gone.Brief()
	after, well := s.Stays.After(s.Next.Running).Brief(), s.Gone.After(s.Next.Running).Brief()
	switch {
	case s.Next.Running != "" && after == well:
		return "; then " + after
	case s.Next.Running != "":
		return fmt.Sprintf("; if it goes well: %s; if it fails: %s", well, after)
	case stays == gone:
		return "; then " + s.Stays.After(s.announced()).Brief()
	case s.Stays.Outcome.End == forecast.Waiting:
		return "; once it is there: " + gone
	case s.reason("Reconciling") == "Progressing" && s.is("Ready", "Unknown"):
		return fmt.Sprintf("; if it goes well: %s; if it fails: %s", gone, stays)
	}
	return fmt.Sprintf("; while the cause stays: %s; once it is gone: %s", stays, gone)
}

// announced returns the action that [situation.when] names; empty if it names none.
func (s situation) announced() forecast.Action {
	if len(s.Stays.Steps) == 0 {
		return ""
	}
	return s.Stays.Steps[0].Action
}
