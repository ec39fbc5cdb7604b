package forecast

// releaseState is what the controller finds a release to be in.
type releaseState string

const (
	absent    releaseState = "absent"
	locked    releaseState = "locked"
	unmanaged releaseState = "unmanaged"
	outOfSync releaseState = "out of sync"
	awaiting  releaseState = "untested"
	inFailure releaseState = "failed"
	drifted   releaseState = "drifted"
	inSync    releaseState = "in sync"
	unknown   releaseState = "unknown"
)

// determine compares the newest record in Helm's storage with what the object
// knows and wants.
func determine(spec spec, status status, storage storage, workload workload) releaseState {
	last := storage.last()
	switch {
	case last == nil:
		return absent
	case last.status.pending():
		return locked
	case len(status.history) == 0 && last.status == uninstalled:
		return absent
	case len(status.history) == 0:
		return unmanaged
	case status.history.latest().content != last.content:
		return unmanaged
	}
	switch last.status {
	case failed:
		return inFailure
	case uninstalled:
		return absent
	case deployed:
		return determineDeployed(spec, status, last, workload)
	}
	return unknown
}

func determineDeployed(spec spec, status status, last *record, workload workload) releaseState {
	if last.version != spec.desired || last.lean != spec.lean {
		return outOfSync
	}
	tests := status.history.latest().tests
	switch {
	case spec.Test.Enable && tests == untested:
		return awaiting
	case spec.Test.Enable && tests == testsFailed && status.last != "" && !spec.ignoresTests(&status):
		return inFailure
	case workload.changed && spec.DriftDetection != "disabled":
		return drifted
	}
	return inSync
}
