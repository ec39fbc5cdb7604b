// Package flux is the face of what lies below it: it loads trees and returns
// every HelmRelease as one cluster would run it, with its tier, its controller
// and the origin of its fields.
//
//  1. [Open] finds out how much of the files is needed to follow a folder: the
//     folder itself, or the repository around it (open.go).
//  2. [Load] has package fleet resolve it, and makes a [Release] of each
//     HelmRelease that is applied, or that nothing applies (flux.go, loader.go,
//     release.go, evidence.go, unknown.go).
//  3. [Release.Locate] returns the place that a person must edit to change a
//     field (locate.go, variable.go, decide.go), [Release.Edits] the edits that
//     change it, and [Release.PatchSites] the places whose patches are for many
//     releases (edit.go, patchsite.go, central.go).
package flux
