// Package loss foretells what an uninstall of a Helm release deletes and what stays, from the
// objects that Helm has rendered, and what an upgrade to another version of the chart drops.
//
//   - [Fates] says of each object of a [Release] whether the uninstall deletes it, and why not.
//   - [Of] keeps of that what holds data: claims, volumes, custom resources, their definitions and
//     namespaces. That is the [Loss] that rules, forecasts and reports speak of.
//   - [Dropped] says what holds data and is in one version of a chart only.
//
// docs/data.md has each fact with its place in the source of Helm and Kubernetes; the recordings in
// testdata/loss hold this package to what the controller really deleted.
package loss
