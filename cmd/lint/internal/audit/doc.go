// Package audit looks over all HelmReleases of clusters: how each one is, since when,
// what Flux does next, and what the rules report.
//
//  1. [Options] say which clusters, or which file (options.go, clusters.go). Each object
//     is judged as it arrives, and only what is said of it is kept (collect.go).
//  2. [Report] counts and lists (report.go), and is written for people and tools
//     (write.go, markdown.go).
package audit
