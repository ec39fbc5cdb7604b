package forecast

import (
	"fmt"
	"slices"
	"strings"
)

// always is a trouble that never passes, once one that hits a single attempt.
func always(how fate, with ...Action) trouble { return trouble{with: with, how: how} }

func once(how fate, with ...Action) trouble { return trouble{with: with, how: how, times: 1} }

var (
	newFails     = always(unhealthy, releasing...)
	newFailsOnce = once(unhealthy, releasing...)
	refused      = always(rejected, releasing...)
)

// outage is that of an admission webhook that cannot be reached. It does not
// affect deletions.
var outage = trouble{with: []Action{Install, Upgrade, Rollback}, how: rejected, outage: true}

var scenarios = []Scenario{
	{
		Name: "install-fails", Title: "The first install always fails",
		Description: "A new release never becomes healthy, as with an image that cannot be pulled.",
		fresh:       true, troubles: []trouble{newFails},
	},
	{
		Name: "install-fails-once", Title: "The first install fails once",
		Description: "The first attempt to install a new release fails, every later one would work.",
		fresh:       true, troubles: []trouble{newFailsOnce},
	},
	{
		Name: "upgrade-fails", Title: "An upgrade always fails",
		Description: "A healthy release gets a new version that never becomes healthy.",
		troubles:    []trouble{newFails},
	},
	{
		Name: "upgrade-fails-once", Title: "An upgrade fails once",
		Description: "The first attempt of an upgrade fails, every later one would work.",
		troubles:    []trouble{newFailsOnce},
	},
	{
		Name: "fix-arrives", Title: "An upgrade fails until the fix is published",
		Description: "A new version never becomes healthy; after two failed attempts, or once nothing happens any more, a good version is published.",
		troubles:    []trouble{newFails}, events: []scheduled{{what: fixed, after: 2}},
	},
	{
		Name: "cause-goes-away", Title: "An upgrade fails until its outside cause goes away",
		Description: "A new version fails for an outside cause, which goes away after two failed attempts, or once nothing happens any more; Git does not change.",
		troubles:    []trouble{newFails}, events: []scheduled{{what: causeGone, after: 2}},
	},
	{
		Name: "revert-arrives", Title: "An upgrade fails until it is reverted",
		Description: "A new version never becomes healthy; after two failed attempts, or once nothing happens any more, a commit goes back to the old version.",
		troubles:    []trouble{newFails}, events: []scheduled{{what: reverted, after: 2}},
	},
	{
		Name: "install-fix-arrives", Title: "The first install fails until the fix is published",
		Description: "A new release never becomes healthy; after two failed attempts, or once nothing happens any more, a good version is published.",
		fresh:       true, troubles: []trouble{newFails}, events: []scheduled{{what: fixed, after: 2}},
	},
	{
		Name: "install-cause-goes-away", Title: "The first install fails until its outside cause goes away",
		Description: "A new release fails for an outside cause, which goes away after two failed attempts, or once nothing happens any more; Git does not change.",
		fresh:       true, troubles: []trouble{newFails}, events: []scheduled{{what: causeGone, after: 2}},
	},
	{
		Name: "killed-in-install", Title: "The controller is killed during the first install",
		Description: "The controller dies while the first install waits (no memory, lost node); all is well after its restart.",
		fresh:       true, troubles: []trouble{once(killed, Install)},
	},
	{
		Name: "killed-in-install-then-fails", Title: "The controller is killed during the first install, which then fails",
		Description: "The controller dies while the first install waits, and after its restart every attempt fails.",
		fresh:       true, troubles: []trouble{once(killed, Install), newFails},
	},
	{
		Name: "killed-in-upgrade", Title: "The controller is killed during an upgrade",
		Description: "The controller dies while an upgrade waits (no memory, lost node); all is well after its restart.",
		troubles:    []trouble{once(killed, Upgrade)},
	},
	{
		Name: "killed-in-upgrade-then-fails", Title: "The controller is killed during an upgrade, which then fails",
		Description: "The controller dies while an upgrade waits, and after its restart every attempt fails.",
		troubles:    []trouble{once(killed, Upgrade), newFails},
	},
	{
		Name: "stopped-in-upgrade", Title: "The controller is restarted during an upgrade",
		Description: "The controller is stopped in an orderly way while an upgrade waits, as when Flux itself is updated; all is well after its restart.",
		troubles:    []trouble{once(stopped, Upgrade)},
	},
	{
		Name: "stopped-in-upgrade-then-fails", Title: "The controller is restarted during an upgrade, which then fails",
		Description: "The controller is stopped in an orderly way while an upgrade waits, and after its restart every attempt fails.",
		troubles:    []trouble{once(stopped, Upgrade), newFails},
	},
	{
		Name: "killed-in-rollback", Title: "The controller is killed during a rollback",
		Description: "The first attempt of an upgrade fails, and the controller dies while it rolls back; all is well after its restart.",
		troubles:    []trouble{once(unhealthy, Upgrade), once(killed, Rollback)},
	},
	{
		Name: "killed-in-rollback-then-fails", Title: "The controller is killed during a rollback, and the upgrade keeps failing",
		Description: "An upgrade always fails, and the controller dies while it rolls back for the first time.",
		troubles:    []trouble{newFails, once(killed, Rollback)},
	},
	{
		Name: "killed-in-reinstall", Title: "The controller is killed during the second install",
		Description: "The first install fails, and the controller dies while the release is installed again; all is well after its restart.",
		fresh:       true, troubles: []trouble{newFailsOnce, once(killed, Install)},
	},
	{
		Name: "killed-in-second-upgrade", Title: "The controller is killed during the second attempt of an upgrade",
		Description: "The first attempt of an upgrade fails, and the controller dies during the second; all is well after its restart.",
		troubles:    []trouble{once(unhealthy, Upgrade), once(killed, Upgrade)},
	},
	{
		Name: "killed-in-test", Title: "The controller is killed during the Helm tests",
		Description: "The controller dies while the Helm tests of a new version run; all is well after its restart.",
		troubles:    []trouble{once(killed, Test)},
	},
	{
		Name: "killed-in-uninstall", Title: "The controller is killed while it uninstalls a failed release",
		Description: "The first install fails, and the controller dies while it uninstalls the failed release; all is well after its restart.",
		fresh:       true, troubles: []trouble{newFailsOnce, once(killed, Uninstall)},
	},
	{
		Name: "install-not-rendered", Title: "The first install fails before Helm writes a record",
		Description: "The chart of a new release cannot be rendered or is refused by validation, so that Helm writes no release record.",
		fresh:       true, troubles: []trouble{always(unrecorded, releasing...)},
	},
	{
		Name: "upgrade-not-rendered", Title: "An upgrade fails before Helm writes a record",
		Description: "The chart of a new version cannot be rendered or is refused by validation, so that Helm writes no release record.",
		troubles:    []trouble{always(unrecorded, releasing...)},
	},
	{
		Name: "install-refused", Title: "The first install is always refused",
		Description: "The API server refuses at once what a new release applies, as a policy does.",
		fresh:       true, troubles: []trouble{refused},
	},
	{
		Name: "upgrade-refused", Title: "An upgrade is always refused",
		Description: "The API server refuses at once what a new version applies, as a policy does.",
		troubles:    []trouble{refused},
	},
	{
		Name: "install-outage", Title: "The first install meets an outage",
		Description: "The API server refuses at once what is applied, for ten minutes if not said otherwise, as when an admission webhook is down; a new release arrives meanwhile.",
		fresh:       true, troubles: []trouble{outage},
	},
	{
		Name: "upgrade-outage", Title: "An upgrade meets an outage",
		Description: "The API server refuses at once what is applied, for ten minutes if not said otherwise, as when an admission webhook is down; a new version arrives meanwhile.",
		troubles:    []trouble{outage},
	},
	{
		Name: "install-test-fails", Title: "The Helm tests of the first install always fail",
		Description: "A new release becomes healthy, but its Helm tests fail.",
		fresh:       true, troubles: []trouble{always(unhealthy, Test)},
	},
	{
		Name: "test-fails", Title: "The Helm tests of an upgrade always fail",
		Description: "A new version becomes healthy, but its Helm tests fail.",
		troubles:    []trouble{always(unhealthy, Test)},
	},
	{
		Name: "rollback-fails", Title: "The rollback of a failed upgrade fails too",
		Description: "A new version never becomes healthy, and neither does the old one when it is rolled back to.",
		troubles:    []trouble{newFails, always(unhealthy, Rollback)},
	},
	{
		Name: "rollback-fails-once", Title: "The first rollback of a failed upgrade fails",
		Description: "A new version never becomes healthy, and the first rollback to the old one does not either.",
		troubles:    []trouble{newFails, once(unhealthy, Rollback)},
	},
	{
		Name: "rollback-refused-once", Title: "The first rollback of a failed upgrade is refused",
		Description: "A new version never becomes healthy, and the API server refuses the first rollback to the old one.",
		troubles:    []trouble{newFails, once(rejected, Rollback)},
	},
	{
		Name: "rollback-target-deleted", Title: "The record to roll back to is deleted",
		Description: "A new version never becomes healthy, and the Helm record of the old one is deleted during the first upgrade.",
		troubles:    []trouble{once(targetLost, Upgrade), newFails},
	},
	{
		Name: "uninstall-fails", Title: "The uninstall of a failed install fails",
		Description: "A new release never becomes healthy, and its resources cannot be deleted.",
		fresh:       true, troubles: []trouble{newFails, always(rejected, Uninstall)},
	},
	{
		Name: "rollback-hook-fails", Title: "A hook of the rollback fails",
		Description: "A new version never becomes healthy, and a hook of the rollback to the old one always fails.",
		troubles:    []trouble{newFails, always(hookFails, Rollback)},
	},
	{
		Name: "fix-during-upgrade", Title: "A fix is published while the failing upgrade waits",
		Description: "A new version never becomes healthy, and a good version is published while the controller still waits for its health.",
		troubles:    []trouble{newFails}, events: []scheduled{{what: fixed, during: Upgrade}},
	},
	{
		Name: "reconcile-during-upgrade", Title: "Somebody runs flux reconcile while an upgrade waits",
		Description: "A new version is about to become healthy, and somebody runs flux reconcile while the controller still waits for its health.",
		events:      []scheduled{{what: "reconcile", during: Upgrade}},
	},
	{
		Name: "dependency-not-ready", Title: "A dependency of a new release is not ready",
		Description: "A new release depends on another one that is not ready.",
		fresh:       true, lacks: dependencyReady,
	},
	{
		Name: "source-not-ready", Title: "The source of a release is not ready",
		Description: "The chart of a new version cannot be fetched.",
		lacks:       sourceReady,
	},
	{
		Name: "values-missing", Title: "The values of a release cannot be read",
		Description: "A ConfigMap or Secret that spec.valuesFrom names is missing when a new version arrives.",
		lacks:       valuesReadable,
	},
	{
		Name: "value-removed", Title: "A value is removed",
		Description: "A commit removes a value of a healthy release.",
		steady:      true, events: []scheduled{{what: "value-removed"}},
	},
	{
		Name: "drift", Title: "Somebody changes the release on the cluster",
		Description: "Somebody changes an object of a healthy release on the cluster; the controller looks at its next interval.",
		steady:      true, events: []scheduled{{what: "drift"}},
	},
	{
		Name: "drift-comes-back", Title: "Something changes the release on the cluster again and again",
		Description: "Another controller changes an object of a healthy release, and again whenever that is put back.",
		steady:      true, troubles: []trouble{always(undone, Correct)}, events: []scheduled{{what: "drift"}},
	},
	{
		Name: "target-changes", Title: "The release gets another name or namespace",
		Description: "A commit changes the releaseName, targetNamespace or storageNamespace of a healthy release.",
		steady:      true, events: []scheduled{{what: "move"}},
	},
	{
		Name: "target-changes-then-fails", Title: "The release gets another name or namespace and fails there",
		Description: "A commit changes the releaseName, targetNamespace or storageNamespace of a healthy release, which never becomes healthy there.",
		steady:      true, troubles: []trouble{{with: releasing, how: unhealthy, every: true}}, events: []scheduled{{what: "move"}},
	},
	{
		Name: "deleted", Title: "The HelmRelease is deleted",
		Description: "Somebody deletes a healthy HelmRelease, or removes it from Git where Flux prunes.",
		steady:      true, events: []scheduled{{what: "delete"}},
	},
	{
		Name: "deletion-fails", Title: "The HelmRelease is deleted and cannot be uninstalled",
		Description: "Somebody deletes a healthy HelmRelease, whose resources cannot be deleted.",
		steady:      true, troubles: []trouble{always(rejected, Uninstall)}, events: []scheduled{{what: "delete"}},
	},
	{
		Name: "record-deleted", Title: "The record of a failed install is deleted by hand",
		Description: "The first install of a new release fails; then somebody deletes its Helm record, and every later attempt would work.",
		fresh:       true, troubles: []trouble{newFailsOnce}, events: []scheduled{{what: recordsLost, after: 1}},
	},
	{
		Name: "upgrade-record-deleted", Title: "The record of a failed upgrade is deleted by hand",
		Description: "A new version never becomes healthy; after its first failure somebody deletes the newest Helm record.",
		troubles:    []trouble{newFails}, events: []scheduled{{what: newestDeleted, after: 1}},
	},
}

// Scenarios lists all scenarios, the commonest first.
func Scenarios() []Scenario { return slices.Clone(scenarios) }

// Find returns the scenario of that name, NAME+EVENT+EVENT with events after it.
func Find(name string) (Scenario, error) {
	words := strings.Split(name, "+")
	i := slices.IndexFunc(scenarios, func(s Scenario) bool { return s.Name == words[0] })
	if i < 0 {
		return Scenario{}, fmt.Errorf("unknown scenario %q", words[0])
	}
	var events []Event
	for _, word := range words[1:] {
		e := Event(word)
		if e.kind().do == nil {
			return Scenario{}, fmt.Errorf("unknown event %q", word)
		}
		events = append(events, e)
	}
	return scenarios[i].Then(events...), nil
}
