package forecast

// workload is what the cluster runs of a release.
type workload struct {
	version Version // empty: nothing
	healthy bool
	// refused: the API server has refused what was applied last. bare: and nothing
	// was there before.
	refused, bare bool
	// changed: somebody has changed an object of it.
	changed bool
}

// apply puts a version on the cluster.
func (w *workload) apply(version Version, how fate) {
	if how != unrecorded && how != hookFails {
		w.refused = how == rejected
		w.bare = w.refused && (w.version == "" || w.bare)
		w.version, w.healthy, w.changed = version, how == fine, false
	}
}

func (w *workload) remove() { *w = workload{healthy: true} }

// running names what the cluster runs.
func (w *workload) running() Running {
	switch {
	case w.version == Old && w.changed:
		return ChangedOld
	case w.version == New && w.changed:
		return ChangedNew
	case w.version == Fixed && w.changed:
		return ChangedFixed
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
	case w.version == BadFix && w.healthy:
		return BadFixRuns
	case w.version == BadFix:
		return FailedBadFix
	}
	return Nothing
}
