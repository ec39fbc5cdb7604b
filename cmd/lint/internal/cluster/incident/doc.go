// Package incident says of HelmReleases on a cluster what is wrong, what Flux does
// next and what revives them, for a person who was woken.
//
//  1. [Options] say what is asked, and [Read] takes what "kubectl get
//     helmrelease -o yaml" prints (read.go).
//  2. [Source] judges each object (all.go, written.go). [Of] forecasts it from its
//     status and puts that into words: its state (state.go), what comes next
//     (next.go), what revives it (remedy.go) and which setting made it so (cause.go).
//  3. [Write] writes what it says (write.go).
//
// It reads no cluster: package live does.
package incident
