// Package compose builds folders without kustomize, in a fraction of its time. It knows no sources: the files, the folder
// and the Flux Kustomization go in as a [Job], and what comes out is what kustomize would build, or the reason why that is
// not certain, so that kustomize must build.
//
// Most builds list files, merge patches and set a namespace or labels. A [Composer] reads each file and each patch once for
// all builds (parts.go), and what a kustomization.yaml says as a recipe (recipe.go). To compose a build is to take the
// objects of its files as members (members.go), one folder after another as kustomize does (compose.go), and to patch,
// move and label them as values (patch.go, operations.go).
//
// Three boundaries keep that the same as kustomize's result:
//
//   - What is read is as it looks: texts that kustomize splits or reads in a way of its own are not taken (unit.go), and
//     neither are fields that are not listed in recipe.go.
//   - Only objects are changed as values of whose kinds kustomize has no schema and no references (sound.go). The others are
//     taken as they are, if kustomize builds each of them alone.
//   - Where it is not certain what becomes of an object, kustomize builds its document alone, with what is done to it
//     (origin.go); so it does with generators (generators.go). If that is not enough, all of the build is kustomize's.
//
// The law, which TestComposedIsWhatKustomizeBuilds, TestComposedOddities and FuzzCompose state: what is composed is what
// [kustomize.Job.Build] builds.
package compose
