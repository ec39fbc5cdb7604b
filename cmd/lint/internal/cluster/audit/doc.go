// Package audit looks over all HelmReleases of clusters: how each one is, since when,
// what Flux does next, and what the rules report.
//
//  1. [Options] say which clusters, or which file (options.go, targets.go). Clusters are
//     asked side by side (ask.go, clusters.go). Each object is judged as it arrives, and
//     only what is said of it is kept (collect.go).
//     Beside that: what is not as Git says (repository.go, drift.go), what Helm has left
//     unfinished (storage.go), what is known (baseline.go), what admission would refuse
//     (readiness.go).
//  2. [Report] counts and lists (report.go), says what several have in common (cause.go),
//     which fight (owner.go) and what has changed (baseline.go). It is written for people and tools
//     (write.go, markdown.go, html.go, metrics.go), and as objects of the cluster (kubereport.go).
//  3. [Merge] makes one report of those of several machines (selection.go, merge.go).
package audit
