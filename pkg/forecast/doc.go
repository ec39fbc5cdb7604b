// Package forecast predicts what helm-controller does when a HelmRelease
// fails. It is the controller's state machine as a deterministic simulator.
//
// The path through it:
//
//  1. [Run] takes the effective settings of a release, the controller that
//     acts on it and a [Scenario] (run.go). The scenario sets the start: a
//     value of type state (state.go, start.go), which holds the spec (spec.go),
//     the persisted status (status.go, conditions.go, history.go), the records
//     of Helm's storage (storage.go) and what the cluster runs (workload.go).
//  2. The simulation (simulation.go) reconciles the release, waits as the
//     controller's queue does (queue.go) and lets the scenario's event happen,
//     until nothing more happens or it is certain to repeat itself for ever.
//  3. A reconcile (reconcile.go) loops: determine the state of the release
//     (determine.go), decide on the next action (decide.go), run it. Both are
//     pure functions of spec, status and storage.
//  4. The world (world.go) says how the action goes, the clock (clock.go) how
//     long it takes. The action (actions.go, deploy.go, remediate.go) changes
//     status, storage and cluster, and becomes a step of the journal
//     (journal.go, notes.go).
//  5. The [Timeline] (timeline.go) is read from the journal: its steps, its
//     [Outcome] (outcome.go) and one sentence about it (sentence.go).
//
// A release on a cluster is forecast by [Outlooks] from its status: live.go makes
// a state of it, lastresult.go says how the last reconcile ended, doubts.go and
// obstacle.go what else the status allows, and outlook.go what comes of each
// situation (situation.go).
//
// The behaviour is that of helm-controller 1.6.3 with Helm 4, and of older
// controllers where a comment names their version. The tests hold it to
// recordings of the real controller in testdata/forecast.
//
// The package is pure: no wall clock, no I/O, no Kubernetes client.
package forecast
