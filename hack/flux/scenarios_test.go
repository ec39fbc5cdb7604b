//go:build flux

package flux

import "strings"

// The versions of the chart: what ran before, what the scenario is about, and what is published
// after a failure.
const (
	oldVersion   = "1.0.0"
	newVersion   = "2.0.0"
	fixedVersion = "2.0.1"
	badFix       = "2.0.2"
)

// fate is how what an attempt applies fares.
type fate string

const (
	fine      fate = ""
	unhealthy fate = "unhealthy" // never becomes ready
	rejected  fate = "rejected"  // the API server refuses it
	killed    fate = "killed"    // the controller is killed meanwhile
	stopped   fate = "stopped"   // the controller is told to stop meanwhile
	awaited   fate = "awaited"   // never becomes ready, and a fix is published meanwhile
	lost      fate = "lost"      // never becomes ready, and the record of the old version is deleted
	hook      fate = "hook"      // a hook of it is refused
	asked     fate = "asked"     // does not become ready before somebody asks for a reconcile
	undone    fate = "undone"    // something else changes it back at once
)

// trouble is what is wrong with the attempts of some actions: I install, U upgrade, R rollback,
// X uninstall, T test, C the correction of a change on the cluster.
type trouble struct {
	actions string
	how     fate
	times   int // the first attempts only; zero is no limit
}

// event is something that happens after a number of failed attempts, zero: once nothing
// happens any more, or attempts go on without end.
type event struct {
	what  string
	after int
}

// scenario is what pkg/forecast names so, told again in what is done to a real cluster. All
// troubles are those of the new version and of a bad fix, but for rollbacks and uninstalls.
type scenario struct {
	name string
	// fresh: nothing was installed before.
	fresh    bool
	troubles []trouble
	events   []event
	// moved: the troubles are those of whatever is installed under another name.
	moved bool
	// broken: the chart of the new version cannot be rendered.
	broken bool
	// steady: nothing new is published.
	steady bool
	// lacks is what is missing until the cause goes away: dependency, source or values.
	lacks string
	// gates are feature gates of a controller of its own.
	gates string
	// tried are the configurations, where they are others than usual.
	tried []string
	// shown is how many failed attempts of a run without end are recorded, 4 unless it is set.
	shown int
	// outage: the trouble is one that ends by itself.
	outage bool
	// rounds are how many attempts of a run without failures come before the next event.
	rounds int
}

var scenarios = []scenario{
	{name: "install-fails", fresh: true, troubles: []trouble{{"IU", unhealthy, 0}}},
	{name: "install-fails-once", fresh: true, troubles: []trouble{{"IU", unhealthy, 1}}},
	{name: "upgrade-fails", troubles: []trouble{{"IU", unhealthy, 0}}},
	{name: "upgrade-fails-once", troubles: []trouble{{"IU", unhealthy, 1}}},
	{name: "install-refused", fresh: true, troubles: []trouble{{"IU", rejected, 0}}},
	{name: "upgrade-refused", troubles: []trouble{{"IU", rejected, 0}}},
	{name: "fix-arrives", troubles: []trouble{{"IU", unhealthy, 0}}, events: []event{{"fix", 2}}},
	{name: "cause-goes-away", troubles: []trouble{{"IU", unhealthy, 0}}, events: []event{{"cause-goes-away", 2}}},
	{name: "revert-arrives", troubles: []trouble{{"IU", unhealthy, 0}}, events: []event{{"revert", 2}}},
	{name: "install-fix-arrives", fresh: true, troubles: []trouble{{"IU", unhealthy, 0}}, events: []event{{"fix", 2}}},
	{name: "install-cause-goes-away", fresh: true, troubles: []trouble{{"IU", unhealthy, 0}}, events: []event{{"cause-goes-away", 2}}},
	{name: "install-not-rendered", fresh: true, broken: true},
	{name: "upgrade-not-rendered", broken: true},
	{name: "upgrade-not-rendered+revert", broken: true, tried: some, events: []event{{"revert", 0}}},
	{name: "install-test-fails", fresh: true, troubles: []trouble{{"T", rejected, 0}}},
	{name: "test-fails", troubles: []trouble{{"T", rejected, 0}}},
	{name: "rollback-fails", troubles: []trouble{{"IU", unhealthy, 0}, {"R", unhealthy, 0}}},
	{name: "rollback-fails-once", troubles: []trouble{{"IU", unhealthy, 0}, {"R", unhealthy, 1}}},
	{name: "rollback-refused-once", troubles: []trouble{{"IU", unhealthy, 0}, {"R", rejected, 1}}, shown: 9},
	{name: "rollback-target-deleted", troubles: []trouble{{"U", lost, 1}, {"IU", unhealthy, 0}}},
	{name: "uninstall-fails", fresh: true, troubles: []trouble{{"IU", unhealthy, 0}, {"X", rejected, 0}}},
	{name: "rollback-hook-fails", troubles: []trouble{{"IU", unhealthy, 0}, {"R", hook, 0}}},
	{name: "killed-in-install", fresh: true, troubles: []trouble{{"I", killed, 1}}},
	{name: "killed-in-install-then-fails", fresh: true, troubles: []trouble{{"I", killed, 1}, {"IU", unhealthy, 0}}},
	{name: "killed-in-upgrade", troubles: []trouble{{"U", killed, 1}}},
	{name: "killed-in-upgrade-then-fails", troubles: []trouble{{"U", killed, 1}, {"IU", unhealthy, 0}}},
	{name: "stopped-in-upgrade", troubles: []trouble{{"U", stopped, 1}}},
	{name: "stopped-in-upgrade-then-fails", troubles: []trouble{{"U", stopped, 1}, {"IU", unhealthy, 0}}},
	{name: "killed-in-rollback", troubles: []trouble{{"U", unhealthy, 1}, {"R", killed, 1}}},
	{name: "killed-in-rollback-then-fails", troubles: []trouble{{"IU", unhealthy, 0}, {"R", killed, 1}}},
	{name: "killed-in-reinstall", fresh: true, troubles: []trouble{{"IU", unhealthy, 1}, {"I", killed, 1}}},
	{name: "killed-in-second-upgrade", troubles: []trouble{{"U", unhealthy, 1}, {"U", killed, 1}}},
	{name: "killed-in-uninstall", fresh: true, troubles: []trouble{{"IU", unhealthy, 1}, {"X", killed, 1}}},
	{name: "killed-in-test", troubles: []trouble{{"T", killed, 1}}},
	{name: "record-deleted", fresh: true, troubles: []trouble{{"IU", unhealthy, 1}}, events: []event{{"records-deleted", 1}}},
	// What the forecast names to revive a release is done: after the cause has gone away.
	revival("upgrade-refused", "reconcile"),
	revival("upgrade-refused", "force"),
	revival("upgrade-refused", "reset"),
	revival("upgrade-refused", "commit"),
	revival("upgrade-refused", "suspend", "resume"),
	{name: "upgrade-refused+suspend+cause-goes-away+resume", troubles: []trouble{{"IU", rejected, 0}}, tried: []string{"defaults", "rollback"}, events: []event{{"suspend", 0}, {"cause-goes-away", 0}, {"resume", 0}}},
	{name: "upgrade-fails+helm-rollback+reconcile", troubles: []trouble{{"IU", unhealthy, 0}}, tried: []string{"defaults", "rollback-not-last", "rollback"}, events: []event{{"helm-rollback", 0}, {"reconcile", 0}}},
	revival("upgrade-refused", "revert"),
	revival("upgrade-refused", "fix"),
	revival("install-refused", "reconcile"),
	revival("install-refused", "force"),
	revival("install-refused", "reset"),
	revival("install-refused", "commit"),
	{name: "killed-in-upgrade-then-fails+cause-goes-away+reset", troubles: []trouble{{"U", killed, 1}, {"IU", unhealthy, 0}}, tried: []string{"rollback"}, events: []event{{"cause-goes-away", 0}, {"reset", 0}}},
	{name: "killed-in-upgrade-then-fails+cause-goes-away+force", troubles: []trouble{{"U", killed, 1}, {"IU", unhealthy, 0}}, tried: []string{"rollback"}, events: []event{{"cause-goes-away", 0}, {"force", 0}}},
	{name: "upgrade-record-deleted+cause-goes-away+reconcile", troubles: []trouble{{"IU", unhealthy, 0}}, tried: []string{"defaults"}, events: []event{{"newest-record-deleted", 1}, {"cause-goes-away", 0}, {"reconcile", 0}}},
	{name: "upgrade-record-deleted+cause-goes-away+restart", troubles: []trouble{{"IU", unhealthy, 0}}, tried: []string{"defaults"}, events: []event{{"newest-record-deleted", 1}, {"cause-goes-away", 0}, {"restart", 0}}},
	{name: "uninstall-fails+cause-goes-away+helm-uninstall+reset", fresh: true, troubles: []trouble{{"IU", unhealthy, 0}, {"X", rejected, 0}}, tried: []string{"rollback", "uninstall"}, events: []event{{"cause-goes-away", 0}, {"helm-uninstall", 0}, {"reset", 0}}},
	{name: "install-fails+cause-goes-away+helm-uninstall+reset", fresh: true, troubles: []trouble{{"IU", unhealthy, 0}}, tried: []string{"kept-history"}, events: []event{{"cause-goes-away", 1}, {"helm-uninstall", 1}, {"reset", 0}}},
	{name: "upgrade-fails+fix-fails", troubles: []trouble{{"IU", unhealthy, 0}}, events: []event{{"fix-fails", 2}}, tried: []string{"defaults", "retry-install", "rollback", "rollback-not-last", "rollback-once"}},
	{name: "fix-during-upgrade", troubles: []trouble{{"U", awaited, 1}, {"IU", unhealthy, 0}}, gates: cancel, tried: []string{"retry", "rollback"}},
	{name: "reconcile-during-upgrade", troubles: []trouble{{"U", asked, 1}}, gates: cancel, tried: []string{"retry", "rollback"}},
	{name: "install-outage", fresh: true, outage: true, troubles: []trouble{{"IUR", rejected, 3}}, tried: []string{"retry", "unlimited"}},
	{name: "upgrade-outage", outage: true, troubles: []trouble{{"IUR", rejected, 3}}, tried: []string{"retry", "unlimited"}},
	{name: "dependency-not-ready", fresh: true, lacks: "dependency", tried: some},
	{name: "dependency-not-ready+cause-goes-away", fresh: true, lacks: "dependency", tried: some, events: []event{{"cause-goes-away", 0}}},
	{name: "source-not-ready", lacks: "source", tried: some},
	{name: "source-not-ready+cause-goes-away", lacks: "source", tried: some, events: []event{{"cause-goes-away", 0}}},
	{name: "values-missing", lacks: "values", tried: some},
	{name: "values-missing+cause-goes-away", lacks: "values", tried: some, events: []event{{"cause-goes-away", 0}}},
	{name: "drift", steady: true, tried: []string{"defaults", "drift-corrected"}, events: []event{{"drift", 0}}},
	{name: "drift-comes-back", steady: true, troubles: []trouble{{"C", undone, 0}}, tried: []string{"drift-corrected"}, events: []event{{"drift", 0}}},
	{name: "value-removed", steady: true, tried: []string{"defaults", "preserved"}, events: []event{{"value-removed", 0}}},
	{name: "value-removed+stop-preserving", steady: true, rounds: 4, tried: []string{"preserved"}, events: []event{{"value-removed", 0}, {"stop-preserving", 0}}},
	{name: "target-changes", steady: true, tried: some, events: []event{{"move", 0}}},
	{name: "target-changes-then-fails", steady: true, moved: true, troubles: []trouble{{"IU", unhealthy, 0}}, tried: some, events: []event{{"move", 0}}},
	{name: "deleted", steady: true, events: []event{{"delete", 0}}},
	{name: "deletion-fails", steady: true, troubles: []trouble{{"X", rejected, 0}}, events: []event{{"delete", 0}}},
}

// some configurations are enough where a scenario does not depend on them.
var some = []string{"defaults", "retry", "rollback"}

const cancel = "CancelHealthCheckOnNewRevision"

// revival returns a scenario whose cause goes away, after which something is done about the
// release.
func revival(name string, events ...string) scenario {
	s := scenario{
		name: strings.Join(append([]string{name, "cause-goes-away"}, events...), "+"), fresh: strings.HasPrefix(name, "install"),
		troubles: []trouble{{"IU", rejected, 0}}, events: []event{{"cause-goes-away", 0}},
	}
	for _, e := range events {
		s.events = append(s.events, event{e, 0})
	}
	return s
}

// configurations are specs of a HelmRelease, with times that a test can wait for.
var configurations = map[string]string{
	"defaults":          `{}`,
	"retry":             `{"install":{"strategy":{"name":"RetryOnFailure","retryInterval":"5s"}},"upgrade":{"strategy":{"name":"RetryOnFailure","retryInterval":"5s"}}}`,
	"retry-install":     `{"install":{"strategy":{"name":"RetryOnFailure","retryInterval":"5s"}},"upgrade":{"remediation":{"retries":1}}}`,
	"retry-upgrade":     `{"install":{"remediation":{"retries":1}},"upgrade":{"strategy":{"name":"RetryOnFailure","retryInterval":"5s"}}}`,
	"rollback":          `{"install":{"remediation":{"retries":1}},"upgrade":{"remediation":{"retries":1}}}`,
	"rollback-not-last": `{"install":{"remediation":{"retries":1,"remediateLastFailure":true}},"upgrade":{"remediation":{"retries":1,"remediateLastFailure":false}}}`,
	"rollback-once":     `{"upgrade":{"remediation":{"remediateLastFailure":true}}}`,
	"uninstall":         `{"install":{"remediation":{"retries":1}},"upgrade":{"remediation":{"retries":1,"strategy":"uninstall"}}}`,
	"uninstall-once":    `{"upgrade":{"remediation":{"remediateLastFailure":true,"strategy":"uninstall"}}}`,
	"unlimited":         `{"install":{"remediation":{"retries":-1}},"upgrade":{"remediation":{"retries":-1}}}`,
	"tested":            `{"test":{"enable":true},"install":{"remediation":{"retries":1}},"upgrade":{"remediation":{"retries":1}}}`,
	"tests-ignored":     `{"test":{"enable":true,"ignoreFailures":true},"install":{"remediation":{"retries":1}},"upgrade":{"remediation":{"retries":1}}}`,
	"preserved":         `{"upgrade":{"preserveValues":true}}`,
	"drift-corrected":   `{"driftDetection":{"mode":"enabled"}}`,
	"unwaited":          `{"install":{"disableWait":true},"upgrade":{"disableWait":true}}`,
	"kept-history":      `{"install":{"remediation":{"retries":1}},"uninstall":{"keepHistory":true}}`,
}
