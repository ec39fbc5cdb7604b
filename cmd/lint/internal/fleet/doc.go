// Package fleet finds the clusters of a tree and what Flux applies to each of them. It
// knows no rules, no tiers and no waivers.
//
//  1. Package manifests has the objects as they are written in the files.
//  2. Package entries has the clusters by their entries, package controllers what objects install of Flux.
//  3. A pass walks from the entry over everything that is applied from there: it finds
//     the source of a Kustomization, builds it, keeps the objects and follows the
//     Kustomizations among them (pass.go, keep.go, lookup.go, source.go). Packages sources and
//     presence have what the objects themselves say of that. Objects are looked up in the cluster
//     that they live in (objects.go).
//  4. If an object was missing and a later part of the walk applies it, the cluster is
//     walked again (resolve.go). A new pass keeps only the known objects of the last one.
//  5. A HelmRelease that no entry reaches is returned as it is written (fleet.go).
//
// A source is found by its reference: what the user has mapped, the artifact of an
// ArtifactGenerator, or the repository itself, in the revision that the source names.
// Anything else is not in the tree. A source kind of which that is true is
// a row in package object, and no code here.
//
// What cannot be known from the tree is a [release.Undetermined], what cannot be read a
// [manifests.Problem]. The rest is still returned.
package fleet
