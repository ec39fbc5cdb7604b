// Package object tells what an object is for Flux. Objects have the shape that
// encoding/json decodes to: maps, slices, strings, bools and numbers.
//
//   - kinds.go is the one table of the kinds that matter, with the role of each.
//   - words.go derives from it cheap searches for words, which decide whether a file
//     is parsed at all.
//   - object.go reads names and fields.
//
// It knows no clusters and no builds.
package object
