// Package fleet finds the clusters of a tree and what Flux applies to each of them. It
// knows no rules, no tiers and no waivers.
//
//  1. Package manifests has the objects as they are written in the files.
//  2. Package entries has the clusters by their entries, package controllers what objects install of Flux.
//  3. A pass walks from the entry over everything that is applied from there: it builds a
//     Kustomization, keeps the objects and follows the Kustomizations among them (pass.go,
//     entry.go, keep.go, resourceset.go). What Flux leaves as it was before a change stays
//     (withheld.go, stay.go).
//  4. A pass asks what knows nothing of the walk: lookup for the objects of the cluster that they
//     live in, origins for the content of a source, supply for variables, flux for which Flux the
//     cluster has, admission for what its API server takes. Where it has been is its trail; what
//     it has found there are results. Packages sources and presence have what the objects
//     themselves say.
//  5. If an object was missing and a later part of the walk applies it, the cluster is
//     walked again (resolve.go). A new pass keeps only the known objects of the last one.
//  6. A HelmRelease that no entry reaches is returned as it is written (fleet.go).
//
// A source is found by its reference: what the user has mapped, the artifact of an
// ArtifactGenerator, or the repository itself, in the revision that the source names.
// Anything else is not in the tree. A source kind of which that is true is
// a row in package object, and no code here.
//
// What cannot be known from the tree is a [release.Undetermined], what cannot be read a
// [manifests.Problem]. The rest is still returned.
package fleet
