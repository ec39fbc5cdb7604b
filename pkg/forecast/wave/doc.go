// Package wave predicts what a failing release holds up: the Flux Kustomization that
// waits for it, those that depend on that one, and all that they apply. It is
// kustomize-controller as a deterministic simulator, beside that of helm-controller in
// package forecast.
//
//  1. A [Fleet] says which Kustomizations and releases a cluster has, and which events
//     come from outside (fleet.go).
//  2. A simulation lets them happen, one after the other (simulation.go): the queue and the workers
//     of the controller (queue.go), the reconcile of a Kustomization (kustomization.go)
//     and what it waits for (health.go). Each release is a [forecast.Course].
//  3. The [Step] values say when each Kustomization came to what end (step.go).
//
// The behaviour is that of kustomize-controller 1.9.5, and of older ones where a comment says
// so; docs/wave.md names the places in its source. The tests hold it to recordings of
// the real controllers in testdata/wave.
//
// The package is pure: no wall clock, no I/O, no Kubernetes client.
package wave
