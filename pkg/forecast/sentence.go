package forecast

import (
	"fmt"
	"strings"
)

// sentence tells how a run went and ended, without a full stop.
func (a account) sentence(out Outcome) string {
	text := a.ending(out) + "; " + runs[out.Running]
	switch {
	case out.NeedsHuman:
		return text + " and a human is needed"
	case out.Endless():
		return text + "; no human is needed once the cause is gone"
	}
	return text
}

func (a account) ending(out Outcome) string {
	before := a.before()
	if out.Endless() {
		if before != "" {
			before = "after " + before + " "
		}
		return before + a.repetition(out) + a.unmoved()
	}
	after := "after " + Readable(out.After.Duration) + " "
	switch {
	case before != "":
		after = fmt.Sprintf("after %s (%s) ", before, Readable(out.After.Duration))
	case out.Reason == reasonSuspended:
		after = ""
	}
	return after + standstill(out) + a.unmoved()
}

// standstill says how a run ends that does end.
func standstill(out Outcome) string {
	switch {
	case out.End == Ready && out.changed():
		return "the release is Ready, since the change is not put back"
	case out.End == Ready && out.NeedsHuman:
		return "the release is Ready, since nothing waits for its health"
	case out.End == Ready:
		return "the release is Ready"
	case out.End == Deleted:
		return "the HelmRelease is gone"
	case out.End == Stalled:
		return "the release is Stalled with " + out.Reason
	case out.Reason == reasonSuspended:
		return "the release is suspended and nothing is done"
	}
	return fmt.Sprintf("the release is not ready (%s) and nothing more is done", out.Reason)
}

// unmoved names the events that changed nothing in the end.
func (a account) unmoved() string {
	if len(a.ignored) == 0 {
		return ""
	}
	return ", even after " + enumerate(a.ignored)
}

// before says what happened once: "4 failed upgrades and 4 rollbacks, then the
// fix and a failed upgrade".
func (a account) before() string {
	var told []string
	for _, p := range a.once {
		var words []string
		if p.event != "" {
			words = append(words, p.event)
		}
		for _, t := range p.deeds {
			words = append(words, t.String())
		}
		if len(words) > 0 {
			told = append(told, enumerate(words))
		}
	}
	if len(a.once) == 1 && len(a.round) == 0 && a.once[0].single() {
		return "the first " + a.once[0].deeds[0].what
	}
	return strings.Join(told, ", then ")
}

// single reports whether all that happened is one failure.
func (p passage) single() bool {
	return len(p.deeds) == 1 && p.deeds[0].count == 1 && strings.HasPrefix(p.deeds[0].what, "failed ")
}

// repetition says what repeats itself, and how far apart.
func (a account) repetition(out Outcome) string {
	every := Readable(out.Every.Duration)
	if len(a.round) == 0 {
		return look(out)
	}
	var clauses []string
	for _, d := range a.round {
		clauses = append(clauses, d.clause())
	}
	text := enumerate(clauses)
	switch {
	case len(a.round) > 1:
		return fmt.Sprintf("%s, over and over, up to %s apart", text, every)
	case out.Reason == "interval":
		return fmt.Sprintf("%s and is %s again after %s, forever", text, a.round[0].repeated(), every)
	}
	return fmt.Sprintf("%s and is %s again, up to %s apart, forever", text, a.round[0].repeated(), every)
}

// look says of a run what the controller looks at for ever.
func look(out Outcome) string {
	what, every := missing[prerequisite(out.Reason)], Readable(out.Every.Duration)
	switch {
	case out.End == Waiting:
		return fmt.Sprintf("%s and the controller looks again after %s, forever", what, every)
	case what == "" || out.Reason == reasonStateError:
		return fmt.Sprintf("the controller cannot tell the state of the release and looks again, up to %s apart, forever", every)
	}
	return fmt.Sprintf("%s and the controller looks again, up to %s apart, forever", what, every)
}

// repeated says what becomes of a deed that is repeated.
func (d deed) repeated() string {
	if d.result == OK {
		return "done"
	}
	return "tried"
}

// clause tells a deed: "the upgrade fails".
func (d deed) clause() string {
	switch {
	case d.result == Fail && !d.recorded:
		return fmt.Sprintf("the %s fails before it changes anything", d.action)
	case d.result == Fail:
		return fmt.Sprintf("the %s fails", d.action)
	case d.action == Rollback:
		return "it is rolled back"
	case d.action == Uninstall:
		return "it is uninstalled"
	case d.action == Unlock:
		return "it is unlocked"
	}
	return fmt.Sprintf("the %s succeeds", d.action)
}

// runs say what is on the cluster at the end, in the words of [Running].
var runs = map[Running]string{
	Nothing:      "nothing is installed",
	OldVersion:   "the old version runs",
	FailedOld:    "the failed old version is on the cluster",
	NewVersion:   "the new version runs",
	FailedNew:    "the failed new version stays on the cluster",
	FixedVersion: "the fixed version runs",
	FailedFixed:  "the failed fixed version is on the cluster",
	BadFixRuns:   "the bad fix runs",
	FailedBadFix: "the failed bad fix is on the cluster",
	ChangedOld:   "the changed old version runs",
	ChangedNew:   "the changed new version runs",
	ChangedFixed: "the changed fixed version runs",
}
