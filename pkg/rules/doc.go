// Package rules is what the linter and the webhook share: the rules of Flux
// Remedy, and the engine that judges a HelmRelease by them.
//
// The path through it:
//
//  1. modules.go and rule.go read the Rego of one or more file systems and what
//     each [Rule] says of itself in METADATA; compile.go makes one query of them.
//  2. [ParseConfig] reads the configuration that both programs share, and
//     configerror.go says what is wrong with one. [Engine.Under] applies it; a
//     new engine judges under the empty one.
//  3. [Engine.Evaluate] makes of a release.Release the [Input] that policies see,
//     asks the query, and returns a [Verdict]: the release's [Class], and its
//     findings with their severity and waivers. A [Finding] has no JSON of its
//     own: the programs say in theirs what readers need.
//
// The package knows no file of a tree, no line and no cluster, and no rule by name.
package rules
