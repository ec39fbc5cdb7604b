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

// runnings name each version as it runs well, as it does not, and as it was changed on the cluster.
var runnings = map[Version][3]Running{
	Old: {OldVersion, FailedOld, ChangedOld}, New: {NewVersion, FailedNew, ChangedNew},
	Fixed: {FixedVersion, FailedFixed, ChangedFixed}, BadFix: {BadFixRuns, FailedBadFix},
}

// running names what the cluster runs.
func (w *workload) running() Running {
	of, runs := runnings[w.version]
	switch {
	case !runs:
		return Nothing
	case w.changed && of[2] != "":
		return of[2]
	case w.healthy:
		return of[0]
	}
	return of[1]
}
