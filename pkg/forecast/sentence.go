package forecast

import (
	"fmt"
	"strings"
)

// story is a run that has ended.
type story struct {
	Outcome
	steps     []Step
	event     effect // what happened outside; empty: nothing
	late      bool   // it happened when the controller had nothing more to do
	fresh     bool   // the release was never installed before
	suspended bool
}

// sentence returns the whole story in one sentence, without a full stop.
func (s story) sentence() string {
	text := s.ending() + "; " + s.whatRuns()
	switch {
	case s.NeedsHuman:
		return text + " and a human is needed"
	case s.endless():
		return text + "; no human is needed once the cause is gone"
	}
	return text
}

func (s story) ending() string {
	switch {
	case s.endless() && s.Reason == reasonStateError:
		return fmt.Sprintf("%sthe controller cannot tell the state of the release and looks again, up to %s apart, without end",
			afterAll(s.steps), Readable(s.Every.Duration))
	case s.endless():
		return s.repetition()
	case s.End == Ready && s.NeedsHuman:
		return s.after() + " the release is Ready, since nothing waits for its health"
	case s.End == Ready:
		return s.after() + " the release is Ready"
	case s.End == Stalled && s.late:
		return fmt.Sprintf("%s the release is Stalled with %s and stays so after %s", s.after(), s.Reason, s.event)
	case s.End == Stalled:
		return fmt.Sprintf("%s the release is Stalled with %s", s.after(), s.Reason)
	case s.suspended:
		return "the release is suspended and nothing is done"
	}
	return fmt.Sprintf("%s the release is not ready (%s) and nothing more is done", s.after(), s.Reason)
}

// repetition says what repeats itself: the last attempt that failed, what
// follows it and when it is tried again.
func (s story) repetition() string {
	attempt, remedy := lastAttempt(s.steps)
	text := fmt.Sprintf("the %s fails", attempt)
	if s.End == Error {
		text = fmt.Sprintf("%s%s before it changes anything", afterAll(untilUnrecorded(s.steps)), text)
	}
	if remedy != "" {
		text += fmt.Sprintf(", is followed by the %s", remedy)
	}
	if s.Reason == "interval" {
		return fmt.Sprintf("%s and is tried again after %s, without end", text, Readable(s.Every.Duration))
	}
	return fmt.Sprintf("%s and is tried again, up to %s apart, without end", text, Readable(s.Every.Duration))
}

// lastAttempt returns the last action that failed and the remediation after it.
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

// untilUnrecorded returns the steps before the last ones that wrote no record.
func untilUnrecorded(steps []Step) []Step {
	n := len(steps)
	for n > 0 && steps[n-1].Revision == 0 {
		n--
	}
	return steps[:n]
}

// after says what went before the end and how long that took.
func (s story) after() string {
	took := Readable(s.After.Duration)
	troubles := tally(s.steps)
	if s.event != "" && !s.late {
		troubles = append(troubles, string(s.event))
	}
	if len(troubles) == 0 {
		return "after " + took
	}
	return fmt.Sprintf("after %s (%s)", enumerate(troubles), took)
}

// whatRuns says what the cluster runs. A first version is not called new.
func (s story) whatRuns() string {
	text := runs[s.Running]
	if s.fresh {
		return strings.Replace(text, "new version", "first version", 1)
	}
	return text
}

var runs = map[Running]string{
	Nothing:      "nothing is installed",
	OldVersion:   "the old version runs",
	FailedOld:    "the old version is back, but not healthy",
	NewVersion:   "the new version runs",
	FailedNew:    "the failed new version stays on the cluster",
	FixedVersion: "the fixed version runs",
	FailedFixed:  "the fixed version is there, but not healthy",
}
