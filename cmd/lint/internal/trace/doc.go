// Package trace finds out where each field of a built object was written.
//
// Each HelmRelease, each Flux Kustomization and each patch of one carries a shadow
// through the build: a field beside spec that mirrors it, with a tag instead of each
// value. Kustomize merges the shadow as it merges spec, so in the result each tag names
// the last writer of its field, whatever the order, selectors and merge rules were.
//
//  1. Table.Instrument adds the shadow to a stream of documents or patches
//     (instrument.go), also to patches in JSON (operations.go) and to those that
//     a Flux Kustomization hands out (patch.go).
//  2. The build carries it along. If a build fails because of the shadow, Strip
//     removes it again (strip.go).
//  3. Of returns the shadow of a built object, and Table.Origin the place that a
//     tag of it names (table.go). If asked to, an object lists all its writers too, and
//     Origin.Writes says what each does (writers.go).
package trace
