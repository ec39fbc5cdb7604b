// Package manifest is YAML that remembers where it came from. It knows no
// Kubernetes.
//
//  1. Parse splits a stream into documents; what cannot be read is an error of
//     its own document and does not hide the others.
//  2. Document.Object gives the values as the cluster sees them
//     (sigs.k8s.io/yaml).
//  3. Document.Find walks a path to the place where it is written, through
//     anchors, merge keys, flow style and, by way of Document.Embedded, through
//     YAML that is written inside a block scalar.
//  4. Set and Delete splice bytes: comments, order, quoting, indentation and
//     line ends stay. They read their result again and refuse it unless exactly
//     the one field changed.
//
// A path is a list of string keys and int indexes from the root.
package yamledit
