// Package library holds flux-remedy to Flux's own libraries, on random trees: each is built,
// substituted and followed by github.com/fluxcd/pkg/kustomize as kustomize-controller does it
// for a new cluster (flux.go), and flux-remedy must say the same of every HelmRelease, or that
// it is undetermined (compare.go).
//
//  1. A seed makes a tree: nested Flux Kustomizations, components in both places, patches of
//     patches, replacements, generators, transformers, schemas, remote entries, variables with
//     odd values, and objects that Flux is told to skip (tree.go, folder.go, plugin.go,
//     release.go).
//  2. Some trees at a time are given to one process of flux-remedy, so that what one build
//     leaves behind would show in the next (linter.go).
//
// "make test" looks at some trees, "make fuzz" at as many as one likes: TREES=20000 SEED=7. A tree
// that differs is printed as an archive.
package library
