// Package yamledit reads and edits YAML and keeps track of where each field is
// written. It knows no Kubernetes.
//
//  1. [Parse] splits a stream into documents. A document that cannot be read
//     has an error of its own and does not hide the others.
//  2. [Document.Object] returns the values as the cluster sees them
//     (sigs.k8s.io/yaml).
//  3. [Document.Find] follows a path to the place where it is written, through
//     anchors, merge keys and flow style. [Document.Embedded] parses YAML inside
//     a string, with its positions in the outer file.
//  4. [SetAt], [PruneAt], [DropAt] and [UncommentAt] splice bytes at an [Address],
//     which may lead into YAML inside a string: comments, order, quotes, indentation
//     and line breaks stay. They read the result and refuse it unless exactly the one
//     field changed.
//
// A path is a list of string keys and int indexes from the root. The files build
// on each other in one direction: lines of text, nodes, trees with offsets,
// documents with positions, edits.
package yamledit
