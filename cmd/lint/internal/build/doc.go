// Package build turns the files of a source into objects, as Flux does. It knows no
// clusters: its caller decides what is built, and finds the objects that are referred
// to.
//
//  1. A [Source] is the content of a Flux source: the files of a tree without remote
//     resources, once as they are written and once with the shadows of package trace
//     (source.go, kustfile.go, remote.go). [Source.Walk] finds what a build for a Flux
//     Kustomization reads of it (walk.go); a build that asks for anything else fails.
//  2. [Builder.Build] builds a folder of it as kustomize-controller does: its
//     kustomization.yaml, or one that is generated, with the fields of the Flux
//     Kustomization, by kustomize on the files in memory (generate.go,
//     kustomize.go, build.go). If it fails with shadows, it builds without them.
//     Patches of objects in remote resources are set aside (missingpatch.go).
//     A build that only lists files, merges patches and sets a namespace is composed
//     without kustomize, of objects that are read once for all builds, wherever it is
//     certain that kustomize would build the same (compose.go, recipe.go, parts.go,
//     unit.go, sound.go, members.go, mergepatch.go, operations.go). Files and generators
//     of which it is not certain, kustomize builds alone (alone.go).
//  3. [Variables] are substituted in the objects (variables.go, substitute.go), and
//     templates of a ResourceSet are rendered by package sandbox (resourceset.go).
//
// Nothing here reads a disk, opens a connection or starts a process: a build that needs
// something outside of the tree fails. Equal builds are done once: those that read equal
// contents, in whatever tree (cache.go).
package build
