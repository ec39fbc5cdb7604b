// Package presence says what Flux makes of an object that a Kustomization or a ResourceSet has it apply, as far as the
// object itself and its former state say it: whether it is applied as it is written, created once, left as it is, kept
// when it is no longer written, or refused because it cannot be changed.
//
// It is told both objects. What a cluster has, package fleet knows.
package presence
