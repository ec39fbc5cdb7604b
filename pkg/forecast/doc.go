// Package forecast tells what helm-controller will do when a HelmRelease
// fails: its state machine as a deterministic simulator.
//
// The path through it:
//
//  1. [Run] takes the effective settings of a release, the controller that
//     acts on it and a [Scenario], and drives the simulation until it settles
//     or is sure to go on for ever (simulation.go).
//  2. Each reconcile (reconcile.go) determines the state of the release
//     (state.go), decides what to do about it (decide.go) and runs that action
//     (actions.go) against the records of Helm's storage (storage.go) and the
//     status of the object (object.go, conditions.go, history.go).
//  3. The world (world.go) answers how an attempt goes; the scenario
//     (scenario.go, scenarios.go) says what the world is like.
//  4. The [Timeline] holds the steps and the [Outcome]: how it ends, what runs
//     then, and whether a human is needed (outcome.go, sentence.go).
//
// The behaviour is that of helm-controller 1.6.3 with Helm 4, and of older
// controllers where a comment names their version. The tests hold it to
// recordings of the real controller in testdata/forecast.
//
// The package is pure: no clock, no I/O, no Kubernetes client.
package forecast
