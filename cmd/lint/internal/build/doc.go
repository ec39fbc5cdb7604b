// Package build makes of the files of a source what Flux makes of them. It
// knows no clusters: who builds what, and under which names objects are found,
// is said by its caller.
//
//  1. A [Source] is what a Flux source holds: the files of a tree, without what
//     would have to be fetched, once as they are written and once with the
//     shadows of package trace (source.go, kustfile.go, remote.go).
//  2. [Builder.Build] builds a folder of it as kustomize-controller does: its
//     kustomization.yaml, or one that is generated, with the fields of the Flux
//     Kustomization, by kustomize on the files in memory (generate.go,
//     kustomize.go, build.go). Where shadows are in the way it builds without
//     them; patches of what would have to be fetched are set aside
//     (setaside.go).
//  3. [Variables] are put in what comes out (variables.go, substitute.go), and
//     templates of a ResourceSet are rendered (template.go, resourceset.go).
//
// Nothing here reads a disk, opens a connection or starts a process: what is
// not in the tree makes a build fail. Each build is done once for equal
// contents of what it reads, whatever the tree (cache.go).
package build
