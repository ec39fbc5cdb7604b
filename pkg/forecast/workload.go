package forecast

// workload is what the cluster runs of a release.
type workload struct {
	version Version // empty: nothing
	healthy bool
}

// apply puts a version on the cluster.
func (w *workload) apply(version Version, how fate) {
	if how != unrecorded {
		w.version, w.healthy = version, how == fine
	}
}

func (w *workload) remove() { w.version, w.healthy = "", true }

// running names what the cluster runs.
func (w *workload) running() Running {
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
