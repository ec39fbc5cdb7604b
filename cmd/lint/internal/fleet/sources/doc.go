// Package sources makes the contents of Flux sources out of a tree, each once: the repository itself in a revision and
// with what spec.ignore and spec.sparseCheckout leave of it, what the user maps, and what an ArtifactGenerator copies.
//
// It is told the object of a source. Which one a reference means in a cluster, package fleet knows.
package sources
