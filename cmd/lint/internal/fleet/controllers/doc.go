// Package controllers says what objects install of Flux's controllers: version, gates, arguments and the objects
// that they watch, of a Deployment, a FluxInstance or the manifests that Flux publishes.
//
// It is told the objects, and what ConfigMaps beside them hold. Which of them a cluster has, and which one counts if
// there are several, package fleet knows.
package controllers
