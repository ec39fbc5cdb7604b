package forecast

import (
	"slices"
)

// account is a run as its sentence tells it. It is made of all steps and events,
// so that the sentence cannot leave out what happened.
type account struct {
	// once is what happened before what repeats itself: one passage to the
	// first event from outside, and one from each event on.
	once []passage
	// round is what repeats itself for ever.
	round []deed
	// ignored are the last events, which changed nothing.
	ignored []string
}

// passage is what happened after an event.
type passage struct {
	event string // as a noun; empty: it begins with the scenario
	deeds []tallied
}

// deed is a step without its time and revision.
type deed struct {
	action   Action
	result   Result
	recorded bool // it left a Helm record, or is about one
}

// accountOf returns what there is to tell of a run.
func accountOf(steps []Step, events []happening, out Outcome) account {
	n := len(events)
	for n > 0 && events[n-1].ignored(len(steps), out) {
		n--
	}
	var a account
	for _, e := range events[n:] {
		a.ignored = append(a.ignored, e.what)
	}
	start, what := 0, ""
	for _, e := range events[:n] {
		a.once = append(a.once, passage{what, tally(steps[start:e.before], telling)})
		start, what = e.before, e.what
	}
	rest := steps[start:]
	if out.Endless() {
		var before int
		before, a.round = repeated(rest)
		rest = rest[:before]
	}
	a.once = append(a.once, passage{what, tally(rest, telling)})
	return a
}

// repeated splits the steps of an endless run: those up to a number happen once,
// and all that follow repeat a round.
func repeated(steps []Step) (once int, round []deed) {
	deeds, numbers := make([]deed, len(steps)), make([]int, len(steps)) // numbers are quick to compare
	seen := map[deed]int{}
	for i, s := range steps {
		deeds[i] = deed{s.Action, s.Result, s.Revision > 0}
		if _, ok := seen[deeds[i]]; !ok {
			seen[deeds[i]] = len(seen)
		}
		numbers[i] = seen[deeds[i]]
	}
	once = len(deeds)
	for length := 1; 2*length <= len(deeds); length++ {
		start := len(deeds) - length
		for start > 0 && numbers[start-1] == numbers[start-1+length] {
			start--
		}
		if len(deeds)-start >= 2*length && start < once {
			once, round = start, slices.Clone(deeds[start:start+length])
		}
	}
	return once, round
}
