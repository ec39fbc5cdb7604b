// Package manifests holds the objects of a tree as they are written in its files, before anything is built: an [Index]
// of those that are looked up, a [Survey] that counts them, and the [Coverage] of them by the builds that read them.
//
// It says what is written where. Which cluster has an object, and in which form, package fleet knows.
package manifests
