// Package rules is what the linter and the webhook share: the rules of Flux
// Remedy, and the engine that judges a HelmRelease by them.
//
// The path through it:
//
//  1. [New] reads the Rego of one or more file systems, and each [Rule] from its METADATA (rule.go);
//     package rego below compiles them, evaluates them, and says what they read of an input.
//  2. [ParseConfig] reads the configuration that both programs share, and
//     configerror.go explains its mistakes. [Engine.Under] applies it; a
//     new engine judges under the empty one.
//  3. [Engine.Evaluate] turns a release.Release into the [Input] of the policies,
//     evaluates the query, and returns a [Verdict]: the release's [Class], and its
//     findings with their severity and waivers. A [Finding] has no JSON of its own: the
//     programs write in theirs what readers need.
//
// The package knows no files, lines or clusters, and no rule by name.
package rules
