// Package audit looks over all HelmReleases of clusters, and makes an overview of them.
//
//  1. [Options] say which clusters, or which file (options.go, targets.go). Clusters are
//     asked side by side (ask.go, clusters.go). Each object is judged as it arrives, and
//     only what is said of it is kept (collect.go, release.go).
//  2. Beside that: what is not as Git says (repository.go, drift.go), what Helm has left
//     unfinished (storage.go), what is known (baseline.go).
//  3. What is found is written for people and tools, and as objects of the cluster (write.go).
package audit
