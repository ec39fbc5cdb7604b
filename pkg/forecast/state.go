package forecast

// state is what the controller takes a release to be in.
type state string

const (
	absent    state = "absent"
	locked    state = "locked"
	unmanaged state = "unmanaged"
	outOfSync state = "out of sync"
	awaiting  state = "untested"
	inFailure state = "failed"
	inSync    state = "in sync"
	unknown   state = "unknown"
)

// determine compares the newest record in Helm's storage with the object.
func (s *simulation) determine() state {
	last := s.storage.last()
	switch {
	case last == nil:
		return absent
	case last.status.pending():
		return locked
	case len(s.object.history) == 0 && last.status == uninstalled:
		return absent
	case len(s.object.history) == 0:
		return unmanaged
	case s.object.history.latest().content != last.content:
		return unmanaged
	}
	switch last.status {
	case failed:
		return inFailure
	case uninstalled:
		return absent
	case deployed:
		return s.determineDeployed(last)
	}
	return unknown
}

func (s *simulation) determineDeployed(last *record) state {
	if last.version != s.desired {
		return outOfSync
	}
	if !s.settings.Test.Enable {
		return inSync
	}
	switch s.object.history.latest().tests {
	case untested:
		return awaiting
	case testsFailed:
		if s.object.last != "" && !s.ignoresTests() {
			return inFailure
		}
	}
	return inSync
}

// ignoresTests tells whether the active half ignores that tests fail.
func (s *simulation) ignoresTests() bool {
	if s.object.last == "" {
		return s.settings.Test.IgnoreFailures
	}
	return s.active().IgnoreTestFailures
}
