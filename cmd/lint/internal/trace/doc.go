// Package trace finds out where each field of a built object was written.
//
// Beside spec, each HelmRelease, Flux Kustomization and patch of one carries a
// shadow through the build: a field that mirrors spec, with a tag in the place
// of each value. Kustomize treats it as it treats spec, so that in the result
// each tag names the last writer of its field, whatever the order, the
// selectors and the merge rules were.
//
//  1. Table.Instrument adds the shadow to a stream of documents or patches
//     (instrument.go), also to patches in JSON (operations.go) and to those that
//     a Flux Kustomization hands out (patch.go).
//  2. The build carries it along. Where the shadow is in the way of a build,
//     Strip takes it out again (strip.go).
//  3. Of returns the shadow of a built object, and Table.Origin the place that a
//     tag of it names (table.go).
package trace
