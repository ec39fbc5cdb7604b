// Package entries finds the clusters of a tree by their entries, and names them apart: the file that flux bootstrap
// writes, a FluxInstance, what the user declares or, without these, a Flux Kustomization or a folder that no build has
// read yet (entry.go, declared.go, unreached.go). inner.go says which of them are a part of another cluster.
//
// It builds nothing: what is known of a [Cluster] and a [Kustomization] here is what is written. Package fleet walks
// from there, and fills in what it finds.
package entries
