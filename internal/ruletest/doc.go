// Package ruletest holds rules to what the built-in ones are held to. Its checks are those
// of "flux-remedy rules test", and of this project's own tests.
//
//  1. [Run] compiles the rules (load.go). One that does not compile is a fault with its
//     place, and the others go on without it.
//  2. Of each rule it checks METADATA and severities (modules.go), that its examples
//     say what they are there for (examples.go), that one cause has one finding among
//     all rules (coverage.go), and that fixes come to an end (fixes.go).
//  3. The Rego tests beside the rules are run on inputs that the engine makes (rego.go),
//     and what no test reaches is known (coverage.go).
//
// A [Fault] has a place, which position.go finds.
package ruletest
