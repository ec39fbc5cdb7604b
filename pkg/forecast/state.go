package forecast

import "github.com/flux-remedy/remedy/pkg/release"

// state is a release at one moment: all that the controller decides on, and what
// runs. It is a plain value, and a simulation can start from any.
type state struct {
	spec     spec
	status   status   // what the API server persists of the object
	storage  storage  // the records that Helm keeps of it
	workload workload // what runs
}

// clone returns a copy that shares nothing with s.
func (s *state) clone() state {
	c := *s
	c.status, c.storage = s.status.clone(), s.storage.clone()
	return c
}

// summarize makes Ready of the other conditions.
func (s *state) summarize() {
	s.status.summarize(s.spec.Test.Enable, s.spec.Test.IgnoreFailures)
}

// versionFor returns the version that an action is about.
func (s *state) versionFor(action Action) Version {
	switch action {
	case Install, Upgrade:
		return s.spec.desired
	case Rollback:
		return s.rollbackTarget().version
	}
	return s.storage.last().version
}

// rollbackTarget returns the snapshot that a rollback returns to; there must be
// one.
func (s *state) rollbackTarget() snapshot {
	h := s.status.history
	return h[h.previous(s.spec.active(&s.status).IgnoreTestFailures)]
}

// repair removes from the conditions what they say of an earlier failure, once
// the release is in sync.
func (s *state) repair() {
	o := &s.status
	o.acceptRemediated()
	if s.spec.controller.Does(release.InSyncRepairsConditions) && (!o.ready() || o.conditions[released].status != isTrue) {
		switch o.conditions[released].reason {
		case reasonInstallFailed:
			o.mark(released, isTrue, reasonInstallSucceeded)
		case reasonUpgradeFailed:
			o.mark(released, isTrue, reasonUpgradeSucceeded)
		}
	}
	o.unmark(reconciling)
	s.summarize()
}
