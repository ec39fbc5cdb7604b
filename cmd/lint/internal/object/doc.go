// Package object tells what an object is for Flux. Objects have the shape that
// encoding/json decodes to: maps, slices, strings, bools and numbers.
//
//   - kinds.go is the one table of the kinds that matter, with the role of each.
//   - words.go derives from it cheap searches for words, which decide whether a file
//     is parsed at all.
//   - object.go reads names and fields. [Each] leaves out what cannot be read: who must
//     not lose it asks yamledit.Document.Err.
//
// An object of a kind without a row is dropped from builds and never looked up, so that
// nothing it says has an effect.
//
// It knows no clusters and no builds.
package object
