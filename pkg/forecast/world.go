package forecast

import "time"

// world is what happens outside of the controller: how its attempts go, and the
// event of the scenario.
type world struct {
	troubles []trouble
	used     []int         // attempts that each trouble has hit
	outage   time.Duration // when an outage ends
	event    event
	happened bool // the event
	over     bool // the cause has gone away
}

func newWorld(scenario *Scenario, opts Options) world {
	return world{
		troubles: scenario.troubles, used: make([]int, len(scenario.troubles)),
		outage: opts.outage(), event: scenario.event,
	}
}

// attempt returns how an attempt goes under the settings of the release: no
// failure is noticed that is not waited for, and nothing becomes ready in no
// time.
func (w *world) attempt(spec spec, action Action, version Version, now time.Duration) fate {
	how := w.fate(action, version, now)
	timeout, waits := spec.waiting(action)
	switch {
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

// due reports whether the event is to happen now. idle means that the
// controller has nothing more to do.
func (w *world) due(failures int, idle bool) bool {
	return w.event.do != "" && !w.happened && (idle || failures >= w.event.afterFailures)
}

// happen lets the event change the state, and reports whether that wakes the
// controller.
func (w *world) happen(s *state) (wakes bool) {
	w.happened = true
	switch w.event.do {
	case fixPublished:
		s.spec.desired = Fixed
		return true
	case reverted:
		s.spec.desired = Old
		s.status.generation++
		return true
	case causeGone:
		w.over = true
	case recordsDeleted:
		s.storage.records = nil
	case newestDeleted:
		if last := s.storage.last(); last != nil {
			s.storage.delete(last.revision)
		}
	}
	return false
}
