package forecast

import (
	"fmt"
	"strings"
)

// summary gives the outcome of a run of these steps in one sentence.
func (s *simulation) summary(out Outcome, steps []Step) string {
	var text string
	switch out.End {
	case Ready:
		text = s.saysReady(out, steps)
	case Stalled:
		text = fmt.Sprintf("%s the release is Stalled with %s", s.after(out, steps), out.Reason)
		if s.late {
			text += fmt.Sprintf(" and stays so after %s", s.scenario.event.do)
		}
	case Idle:
		text = s.saysIdle(out, steps)
	case Retrying, Error:
		text = saysEndless(out, steps)
	}
	text += "; " + s.saysRunning(out.Running)
	switch {
	case out.NeedsHuman:
		return text + " and a human is needed"
	case out.endless():
		return text + "; no human is needed once the cause is gone"
	}
	return text
}

func (s *simulation) saysReady(out Outcome, steps []Step) string {
	text := s.after(out, steps) + " the release is Ready"
	if out.NeedsHuman {
		text += ", since nothing waits for its health"
	}
	return text
}

func (s *simulation) saysIdle(out Outcome, steps []Step) string {
	if s.settings.Suspend {
		return "the release is suspended and nothing is done"
	}
	return fmt.Sprintf("%s the release is not ready (%s) and nothing more is done", s.after(out, steps), out.Reason)
}

// saysEndless tells what went before, of the last attempt that failed, what
// follows it and when.
func saysEndless(out Outcome, steps []Step) string {
	if out.Reason == reasonStateError {
		return fmt.Sprintf("%sthe controller cannot tell the state of the release and looks again, up to %s apart, without end",
			afterAll(steps), Readable(out.Every.Duration))
	}
	attempt, remedy := lastAttempt(steps)
	text := fmt.Sprintf("the %s fails", attempt)
	if out.End == Error {
		text = fmt.Sprintf("%s%s before it changes anything", afterAll(untilUnrecorded(steps)), text)
	}
	if remedy != "" {
		text += fmt.Sprintf(", is followed by the %s", remedy)
	}
	if out.Reason == "interval" {
		return fmt.Sprintf("%s and is tried again after %s, without end", text, Readable(out.Every.Duration))
	}
	return fmt.Sprintf("%s and is tried again, up to %s apart, without end", text, Readable(out.Every.Duration))
}

// lastAttempt gives the last action that failed and the remediation after it.
func lastAttempt(steps []Step) (attempt, remedy Action) {
	for i := len(steps) - 1; i >= 0; i-- {
		switch st := steps[i]; {
		case st.Result == Fail:
			return st.Action, remedy
		case st.Result == OK && st.Action.kind() == remediationKind:
			remedy = st.Action
		}
	}
	return "", remedy
}

// untilUnrecorded gives the steps before the last ones that wrote no record.
func untilUnrecorded(steps []Step) []Step {
	n := len(steps)
	for n > 0 && steps[n-1].Revision == 0 {
		n--
	}
	return steps[:n]
}

func afterAll(steps []Step) string {
	if troubles := tally(steps); len(troubles) > 0 {
		return "after " + enumerate(troubles) + " "
	}
	return ""
}

// after tells what went before the end, and how long that took.
func (s *simulation) after(out Outcome, steps []Step) string {
	took := Readable(out.After.Duration)
	troubles := tally(steps)
	if s.happened && !s.late {
		troubles = append(troubles, string(s.scenario.event.do))
	}
	if len(troubles) == 0 {
		return "after " + took
	}
	return fmt.Sprintf("after %s (%s)", enumerate(troubles), took)
}

// tally counts what went wrong and what was done about it, in the order in
// which it happened first.
func tally(steps []Step) []string {
	type entry struct {
		what  string
		count int
	}
	var entries []entry
	failures := 0
	for _, st := range steps {
		what := string(st.Action)
		switch {
		case st.Result == Killed:
			what = "interrupted " + what
		case st.Result == Fail:
			what = "failed " + what
			failures++
		case st.Action.kind() != remediationKind:
			continue
		}
		i := 0
		for i < len(entries) && entries[i].what != what {
			i++
		}
		if i == len(entries) {
			entries = append(entries, entry{what: what})
		}
		entries[i].count++
	}
	if len(entries) == 1 && failures == 1 {
		return []string{"the first " + entries[0].what}
	}
	var words []string
	for _, e := range entries {
		words = append(words, counted(e.count, e.what))
	}
	return words
}

// counted gives "a rollback", "an uninstall", "3 failed upgrades".
func counted(n int, what string) string {
	switch {
	case n > 1:
		return fmt.Sprintf("%d %ss", n, what)
	case strings.ContainsRune("aeiou", rune(what[0])):
		return "an " + what
	}
	return "a " + what
}

func enumerate(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return words[0]
}

// saysRunning tells what the cluster runs; a first version is not called new.
func (s *simulation) saysRunning(r Running) string {
	text := map[Running]string{
		Nothing:      "nothing is installed",
		OldVersion:   "the old version runs",
		FailedOld:    "the old version is back, but not healthy",
		NewVersion:   "the new version runs",
		FailedNew:    "the failed new version stays on the cluster",
		FixedVersion: "the fixed version runs",
		FailedFixed:  "the fixed version is there, but not healthy",
	}[r]
	if s.scenario.fresh {
		text = strings.Replace(text, "new version", "first version", 1)
	}
	return text
}
