// Package manifests holds the objects of a tree as they are written in its files, before anything is built: an [Index]
// to look them up, a [Survey] that counts them, and the [Coverage], which says what builds have read.
//
// It says what is written where. Which cluster has an object, and in which form, package fleet knows.
package manifests
