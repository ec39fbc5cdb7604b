// Package effective loads trees and returns every HelmRelease as a cluster would run it, with
// its tier, its controller and the origin of its fields. The packages below it follow
// Flux; the packages above see only this one.
//
//  1. [Open] decides which files are needed to follow a folder: those of the folder, or
//     the repository around it (open.go).
//  2. [Load] lets package fleet resolve the tree, and returns a [Release] for each
//     HelmRelease, applied or not (flux.go, applied.go, loader.go, release.go,
//     evidence.go, unknown.go). What is above it and what waits for it, package estate
//     says (estate.go); who learns of its failures, alerting.go and package metrics.
//  3. [Release.Locate] returns the place that a person must edit to change a
//     field (locate.go, variable.go, decide.go), [Release.Edits] the edits that
//     change it, and [Release.PatchSites] the places whose patches are for many
//     releases (edit.go, patchsite.go, central.go).
//  4. [Release.Explain] returns all that sets a field on the way, if the builder was
//     told to list writers (explain.go, outcome.go).
package effective
