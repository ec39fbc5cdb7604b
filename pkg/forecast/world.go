package forecast

import "time"

// world is what surrounds the controller: it answers how an attempt goes.
type world struct {
	troubles []trouble
	used     []int // attempts that each trouble has hit
	outage   time.Duration
	calm     bool // no trouble, no limits: while the old version is set up
	over     bool // the cause has gone away

	version Version // what the cluster runs; empty: nothing
	healthy bool
}

// fate gives what happens to an attempt at time now.
func (w *world) fate(action Action, version Version, now time.Duration) fate {
	if w.calm || w.over {
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

// apply puts a version on the cluster.
func (w *world) apply(version Version, how fate) {
	if how != unrecorded {
		w.version, w.healthy = version, how == fine
	}
}

func (w *world) remove() { w.version, w.healthy = "", true }

// running names what the cluster runs.
func (w *world) running() Running {
	switch {
	case w.version == Old && w.healthy:
		return OldVersion
	case w.version == Old:
		return FailedOld
	case w.version == New && w.healthy:
		return NewVersion
	case w.version == New:
		return FailedNew
	case w.version == Fixed && w.healthy:
		return FixedVersion
	case w.version == Fixed:
		return FailedFixed
	}
	return Nothing
}
