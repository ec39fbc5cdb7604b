// Package rego is what the engine has to do with OPA: it compiles rules, evaluates them, and says what of the input they read.
//
//  1. [Read] reads the Rego of one or more file systems (modules.go), or takes what [Program.Prepare] has made of it before
//     (prepare.go); each rule is a [Description], which is not checked here.
//  2. [Program.Compile] makes [Policies] of it: a [Query] for the class of a release and one for each rule, with the places of the
//     input that the rule may read, which follow from its references (reads.go).
//  3. [Policies.Evaluation] evaluates queries on one input, with [Evaluation.Ask]; [Evaluation.Reads], [Evaluation.Explain] and
//     [Evaluation.Watch] do so slowly, and watch.
//
// A rule that reads the same answers the same, so what it answered can be remembered: [Memory].
//
// The package knows no releases, severities and configuration; what is in an input is known to package places.
package rego
