// Package rules is what the linter and the webhook share: the vocabulary of
// Flux Remedy and the engine that judges a HelmRelease.
//
// The path through it:
//
//  1. [Decode] turns one HelmRelease object, as Flux will apply it, into a
//     [Release]: the object and its effective [Settings], which are computed
//     with helm-controller's own getters so that no rule repeats a default.
//  2. [New] compiles the Rego policies of a file system once into an [Engine].
//  3. [Engine.Evaluate] judges a Release under a [Config] and gives a
//     [Verdict]: the release's [Class] and its findings.
//
// The package knows no file, no line and no cluster.
package rules
