// Package standstill says which object of a cluster is the cause of which others' standstill, from the
// statuses of its Kustomizations and HelmReleases. What Flux does is in docs/wave.md.
//
//  1. A [Cluster] takes the objects as they are read (cluster.go, object.go).
//  2. What an object waits for follows from its spec and its conditions (wait.go).
//  3. [Cluster.Above] follows that to the roots, and [Cluster.Below] back to all that they hold up
//     (chain.go). [Cluster.Causes] lists the roots of a cluster (cause.go).
//
// What was not read is not guessed: it is known only as far as a message of kustomize-controller or
// helm-controller names it.
package standstill
