// Package live reads objects of running clusters, and nothing that is not asked for.
//
//  1. [Access] says which cluster, in the words of kubectl. [Access.Open] makes a
//     [Cluster] of it (access.go).
//  2. [Cluster.Releases] reads HelmReleases page by page, without spec.values
//     (releases.go); [Cluster.List] and [Cluster.Get] do so for any resource (list.go).
//  3. [Cluster.Patch] changes an object (change.go).
//
// client-go finds the cluster and the credentials. Requests are plain HTTP: its
// typed clients take longer to start than a repository takes to lint, and hold
// each answer as a whole.
package live
