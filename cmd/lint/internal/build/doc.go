// Package build turns the files of a source into objects, as Flux does. It knows no
// clusters: its caller decides what is built, and finds the objects that are referred
// to.
//
//  1. A [Source] is the content of a Flux source: the files of a tree without remote
//     resources, once as they are written and once with the shadows of package trace
//     (source.go, kustfile.go, remote.go). [Source.Walk] finds what a build for a Flux
//     Kustomization reads of it (walk.go); a build that asks for anything else fails.
//  2. [Builder.Build] builds a folder of it as kustomize-controller does. Package compose
//     builds what it is certain of, and package kustomize everything else. If a build fails
//     with shadows, it is done without them.
//  3. The objects are those of package resource, in which package variables substitutes
//     what spec.postBuild defines (result.go). Templates of a ResourceSet are rendered by
//     package sandbox (resourceset.go).
//
// Nothing here reads a disk, opens a connection or starts a process: a build that needs
// something outside of the tree fails. Equal builds are done once: those that read equal
// contents, in whatever tree.
package build
