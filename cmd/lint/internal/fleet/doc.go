// Package fleet finds the clusters of a tree and follows what Flux applies to
// each of them. It knows no rules, no tiers and no waivers.
//
//  1. An [Index] knows what stands in the files by itself, and survey counts it
//     (index.go, survey.go, template.go).
//  2. Entries tell what clusters there are: what flux bootstrap or a FluxInstance
//     has written or, failing these, the Flux Kustomizations that nothing else
//     applies (entry.go, installation.go, unreached.go). name.go tells them apart.
//  3. A pass walks from the entry of a cluster over all that is applied from
//     there: it finds the source of a Kustomization, builds it, keeps the
//     objects and follows the Kustomizations among them (pass.go, keep.go,
//     lookup.go, source.go, generator.go). Objects are looked up by the cluster
//     that they live in (objects.go, remotecluster.go).
//  4. A cluster is walked again while something that was missing has turned up
//     (resolve.go). Each pass starts from nothing but the objects that are known.
//  5. What no entry has reached is as it is written (fleet.go).
//
// What cannot be known from the tree is [release.Undetermined], what cannot be read
// a [Problem]. Neither hides the rest.
package fleet
