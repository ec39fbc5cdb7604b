// Package object says what an object is to Flux, in the shape that
// encoding/json gives: maps, slices, strings, bools and numbers.
//
//   - kinds.go is the one table of kinds that bear on what Flux applies, with
//     what each is for.
//   - words.go derives from it the cheap looks at bytes that come before any
//     parser.
//   - object.go reads names and fields. [Each] leaves out what cannot be read:
//     who must not lose it asks yamledit.Document.Err.
//
// An object of a kind without a row is dropped from builds and never looked up,
// so that nothing it says has an effect.
//
// It knows no clusters and no builds.
package object
