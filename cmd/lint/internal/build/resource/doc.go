// Package resource holds objects of a build, and what Flux makes of each. It knows no files and no folders.
//
//  1. [New] takes what kustomize has built. What is plain, so that it is read as the same again wherever it is written,
//     is kept as values instead of kustomize's nodes ([PlainOf], plain.go).
//  2. [OutcomeOf] says whether an object matters for what Flux applies. Of one that does not, it keeps why Flux fails
//     with it (refused.go) and which variables it needs (passedover.go).
//  3. [Resource.Substitute] returns the object as Flux applies it under variables.
package resource
