package forecast

import (
	"slices"
	"time"
)

// world is what happens outside of the controller: how its attempts go.
type world struct {
	troubles []trouble
	used     []int         // attempts that each trouble has hit
	outage   time.Duration // when an outage ends
	over     bool          // the cause has gone away
	lacks    prerequisite  // empty: nothing
	// interrupts is an action during whose wait an event arrives; empty: none.
	interrupts Action
}

func newWorld(scenario *Scenario, opts Options) world {
	return world{
		troubles: scenario.troubles, used: make([]int, len(scenario.troubles)),
		outage: opts.outage(), lacks: scenario.lacks, interrupts: scenario.interrupts(),
	}
}

// missing returns the prerequisite that is missing, empty if none is.
func (w *world) missing() prerequisite {
	if w.over {
		return ""
	}
	return w.lacks
}

// attempt returns how an attempt goes under the settings of the release: no
// failure is noticed that is not waited for, nothing becomes ready in no time, and
// an event ends the wait if the controller's gate says so.
func (w *world) attempt(spec spec, action Action, version Version, now time.Duration) fate {
	how := w.fate(action, version, now)
	timeout, waits := spec.waiting(action)
	switch {
	case action == Rollback && how == hookFails:
		if spec.Rollback.DisableHooks {
			return fine
		}
	case action == w.interrupts && waits && (how == fine || how == unhealthy) && spec.cancels():
		return canceled
	case !waits && how.ends():
		return fine
	case !waits && (how == unhealthy || how == targetLost):
		return blind
	case waits && timeout <= 0 && how == fine:
		return unhealthy
	}
	return how
}

// fate returns what happens to an attempt at time now.
func (w *world) fate(action Action, version Version, now time.Duration) fate {
	if w.over {
		return fine
	}
	for i := range w.troubles {
		t := &w.troubles[i]
		if !t.hits(action, version) || t.times > 0 && w.used[i] >= t.times || t.outage && now >= w.outage {
			continue
		}
		w.used[i]++
		return t.how
	}
	return fine
}

// inOutage reports whether there is an outage at time now.
func (w *world) inOutage(now time.Duration) bool {
	for _, t := range w.troubles {
		if t.outage && now < w.outage {
			return true
		}
	}
	return false
}

// add lets another trouble begin.
func (w *world) add(t trouble) {
	w.troubles, w.used = append(slices.Clip(w.troubles), t), append(w.used, 0)
}
