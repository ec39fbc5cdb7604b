// Package flux turns a Git tree into the HelmReleases that its clusters would
// run: each as Flux will apply it, with the place that decided each field.
//
//  1. A walk lists the files, without leaving the root, and sorts their
//     documents into complete HelmReleases, patches of HelmReleases and the rest
//     (walk.go, document.go, template.go).
//  2. Entries tell what clusters there are: a gotk-sync.yaml, a FluxInstance or,
//     failing these, the Flux Kustomizations that nothing else applies (entry.go,
//     rest.go).
//  3. A source becomes an artifact: a temporary copy of what source-controller
//     would pack, without what would have to be fetched (source.go, artifact.go,
//     generator.go, remote.go). Nothing is written to the tree itself.
//  4. A Kustomization is built from its artifact with the controller's own
//     libraries, variables are put in, and what comes out is followed as its
//     parent patched it, until nothing new turns up (build.go, substitute.go,
//     cluster.go, resourceset.go).
//  5. Beside spec every HelmRelease, Flux Kustomization and patch carries a trace
//     through the build: the same fields, with the place where each is written
//     as its value. What is left in the end names the last writer of each field
//     (instrument.go, tag.go, locate.go, decide.go).
//  6. Each HelmRelease is put in a [rules.Tier], saying which fact decided, and
//     given the helm-controller that its cluster runs (tier.go, controller.go).
//
// What cannot be read is a [Problem]. What is a HelmRelease but cannot be known
// from the tree alone, such as a value that comes from an encrypted Secret, is
// [Undetermined]. Neither hides the others, and neither is passed off as known.
package flux
