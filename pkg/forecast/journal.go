package forecast

import "time"

// journal records what happens. All that is reported is read from it.
type journal struct {
	steps     []Step
	first     int    // index of the first step of this reconcile
	failed    int    // failed installs and upgrades
	decidedBy Action // the half that decided last
	events    []happening
	silent    bool // nobody reads the notes
}

// begin starts another reconcile.
func (j *journal) begin() { j.first = len(j.steps) }

// ran returns the steps of this reconcile.
func (j *journal) ran() []Step { return j.steps[j.first:] }

// last returns the last action of this reconcile, empty if there is none.
func (j *journal) last() Action {
	if ran := j.ran(); len(ran) > 0 {
		return ran[len(ran)-1].Action
	}
	return ""
}

func (j *journal) add(step Step) {
	if step.Result == Fail && step.Action.kind() == releaseKind {
		j.failed++
	}
	j.steps = append(j.steps, step)
}

// decided records the half that decided, if one did.
func (j *journal) decided(half Action) {
	if half != "" {
		j.decidedBy = half
	}
}

// happened records an event from outside. was is the end that the run would have
// had without it.
func (j *journal) happened(what eventKind, was Outcome) {
	j.events = append(j.events, happening{what: what.noun, before: len(j.steps), failed: j.failed, was: was, seen: what.seen})
	j.note(what.note)
}

// sinceEvent returns how many installs and upgrades have failed since the last
// event.
func (j *journal) sinceEvent() int {
	if n := len(j.events); n > 0 {
		return j.failed - j.events[n-1].failed
	}
	return j.failed
}

// uninstalled reports whether the last step has uninstalled the Helm release.
func (j *journal) uninstalled() bool {
	n := len(j.steps)
	return n > 0 && j.steps[n-1].Action == Uninstall && j.steps[n-1].Result == OK
}

// note adds a sentence to the note of the last step.
func (j *journal) note(sentence func() string) {
	if len(j.steps) == 0 || j.silent {
		return
	}
	text := sentence()
	if text == "" {
		return
	}
	last := &j.steps[len(j.steps)-1]
	if last.Note != "" {
		text = last.Note + "; then " + text
	}
	last.Note = text
}

// happening is an event between the steps.
type happening struct {
	what   string // as a noun
	before int    // steps that came first
	failed int    // installs and upgrades that had failed
	was    Outcome
	seen   notice
	at     time.Duration // of the simulation
}

// ignored reports whether an event changed nothing: after it nothing was done, and
// the end is what it was.
func (h happening) ignored(steps int, out Outcome) bool {
	return h.before == steps && h.was.End == out.End && h.was.Reason == out.Reason && h.was.Running == out.Running
}
