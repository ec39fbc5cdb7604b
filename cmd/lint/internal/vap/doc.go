// Package vap writes ValidatingAdmissionPolicies and their bindings, which the API
// server evaluates by itself: the faults that rules say in CEL (custom.cel of their
// METADATA), for each tier, under a configuration.
//
// The path through it:
//
//  1. settings.go is the effective settings of a release in CEL, for both objects of an
//     update at once: a list of the new one and, if there is one, the old one.
//  2. fault.go makes of each fault a variable, a list of the same order, and of each
//     variable a validation: there is no fault, or it is waived, or it is not new.
//  3. inherit.go says in CEL when a fault is not new, by the relations of the rules, as
//     the webhook does.
//  4. standing.go is what the forecast says of the settings that decide how a release
//     recovers, as a table.
//  5. scope.go says which requests are looked at, inherit.go what is accepted.
//  6. policy.go puts them together and writes them.
package vap
