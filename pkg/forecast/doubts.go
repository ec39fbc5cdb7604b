package forecast

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// runs reports whether the controller was last seen in the midst of an action. An install or
// upgrade makes Ready unknown while it runs; what was announced before an error stays announced.
func (s *situation) runs(live *release.Live) bool {
	c := &s.status.conditions
	switch announced := runningAction(live); {
	case s.result != unfinished || c[reconciling].reason != reasonProgressing || s.status.attemptedGeneration != s.status.generation:
		return false
	case slices.Contains(erring, c[ready].reason):
		return false
	case announced != "" && announced.kind() == releaseKind:
		return c[ready].status != isFalse
	}
	return true
}

// canRun reports whether an action is one that the controller can run here: a status may
// say anything.
func (s *situation) canRun(action Action) bool {
	switch action {
	case Install, Upgrade, Correct:
		return true
	case Unlock, Uninstall:
		return s.storage.last() != nil
	case Test:
		return len(s.status.history) > 0
	case Rollback:
		return s.status.last != "" && s.status.history.previous(s.spec.active(&s.status).IgnoreTestFailures) >= 0
	}
	return false
}

// inAction returns what may have become of an action that was announced.
func (s *situation) inAction(live *release.Live) []situation {
	action := runningAction(live)
	if action == "" {
		action = decide(s.spec, s.status, s.storage, s.workload).action
	}
	if !s.canRun(action) {
		return []situation{*s}
	}
	if action == Install && s.uninstallLeft() { // it would not be installed otherwise
		s.storage.records = nil
		s.workload.remove()
	}
	if before := s.status.outlived(); action == Test && s.spec.MaxHistory == 1 && before != nil && s.storage.get(before.revision) == nil {
		s.storage.records = slices.Insert(s.storage.records, 0, before.record)
	}
	if len(s.troubles) == 0 {
		s.troubles = []trouble{always(unhealthy, action)}
		if action.kind() == releaseKind {
			s.troubles = []trouble{newFails}
		}
	}
	going, ended := *s, *s
	going.running = action
	going.assumed = "the " + string(action) + " still runs"
	ended.state = s.state.clone()
	persisted := ended.status.clone()
	ended.perform(action, killed)
	ended.status = persisted
	ended.assumed = "the controller ended during the " + string(action)
	ended.backoffs = 0
	return []situation{going, ended}
}

// outlived returns what was deployed until the newest release was; nil without one. With a limit
// of one record Helm has it still while that is tested: what is deployed is not pruned.
func (o *status) outlived() *snapshot {
	if len(o.history) == 0 || o.history.latest().status != deployed {
		return nil
	}
	for i := range o.history {
		if o.history[i].status == superseded {
			return &o.history[i]
		}
	}
	return nil
}

// uninstallLeft reports whether an uninstall failed, which may have removed the
// records all the same.
func (s *situation) uninstallLeft() bool {
	last := s.storage.last()
	return last != nil && last.status == uninstalling
}

// withDeployed returns what Helm's storage may hold of failed upgrades of which the
// history knows no version that was deployed: one from before, or none. One from before
// has a revision that the history does not know; a history of all revisions leaves none.
func (s *situation) withDeployed() []situation {
	last := s.storage.last()
	if last == nil || last.status != failed || s.storage.deployed() != nil || s.status.last != Upgrade {
		return []situation{*s}
	}
	never, once := *s, *s
	never.assumed, once.assumed = "no version was ever deployed", "an earlier version is still recorded as deployed"
	never.state, once.state = s.state.clone(), s.state.clone()
	for i := range never.storage.records {
		if r := &never.storage.records[i]; never.status.history.find(r.revision) == nil {
			r.status, r.version = failed, New
		}
	}
	switch revision := s.status.history.newestUnknown(last.revision); {
	case revision == 0:
		return []situation{never}
	case once.storage.get(revision) != nil:
		r := once.storage.get(revision)
		r.status, r.version = deployed, Old
	default:
		once.storage.keep(record{revision: revision, status: deployed, version: Old}, s.spec.MaxHistory)
	}
	if s.status.failures.install > 0 {
		return []situation{never, once}
	}
	return []situation{once, never}
}

// halfUninstalled returns what became of the records of a release whose uninstall failed. Helm says
// "failed to delete release" before it deletes them, and "uninstallation completed with errors"
// afterwards: Uninstall.Run in pkg/action/uninstall.go of Helm 4.
func (s *situation) halfUninstalled() []situation {
	if s.status.conditions[ready].reason == reasonStateError { // it has been looked at since
		return []situation{*s}
	}
	kept, purged := *s, *s
	kept.assumed, purged.assumed = "Helm still has a record of the release", "Helm has no record of the release any more"
	purged.state = s.state.clone()
	purged.storage.records = nil
	purged.workload.remove()
	switch said := s.uninstallSaid; {
	case strings.Contains(said, "failed to delete release"):
		return []situation{kept}
	case strings.Contains(said, "uninstallation completed with"):
		return []situation{purged}
	}
	return []situation{purged, kept}
}

// committed returns what a commit may have made of what is wanted.
func (s *situation) committed() []situation {
	same, other := *s, *s
	same.state, other.state = s.state.clone(), s.state.clone()
	same.assumed, other.assumed = "the commit changes neither chart nor values", "the commit changes the chart or the values"
	if s.assumed != "" {
		same.assumed, other.assumed = s.assumed+", and "+same.assumed, s.assumed+", and "+other.assumed
	}
	other.spec.desired = BadFix // for which the cause may stay, too
	return []situation{other, same}
}
