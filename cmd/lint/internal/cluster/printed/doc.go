// Package printed reads objects of clusters as kubectl prints them: documents and lists
// in YAML or JSON, of any length. What is read is one object at a time, so that a list of
// all objects of a large cluster needs no more memory than what is kept of it.
//
//  1. [Objects] reads a stream (objects.go).
//  2. YAML is cut into documents, and a list into its items, by its lines (chunk.go).
//  3. JSON that is larger than a document of YAML may be is read token by token (json.go).
package printed
