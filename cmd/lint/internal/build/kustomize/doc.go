// Package kustomize runs kustomize as kustomize-controller does, on the files of a tree in memory.
//
//  1. [Job.Build] writes the kustomization.yaml of a Flux Kustomization (generate.go) and builds its folder (run.go). Patches
//     of objects that would have to be fetched are set aside (missingpatch.go).
//  2. What kustomize asks for is noted as [Reads]; a file whose aliases do not end is refused (aliases.go).
//  3. A [Memory] keeps what was made of files as long as the same would be read again.
//
// Nothing here reads a disk or opens a connection: what kustomize would fetch ([IsRemote]) must be taken out before.
package kustomize
