// Package release holds one HelmRelease as Flux will apply it.
//
// [Decode] reads the object into a [Release] with its effective [Settings]: the
// failure settings as helm-controller resolves them, which depend on the
// version and feature gates of the [Controller]. [TierOf] decides its [Tier]
// from [Evidence]. A [Path] names a field of the object.
//
// Of the fields that the API server of an older controller drops, Decode leaves
// out the strategies; spec.waitStrategy and spec.upgrade.chartNameChangeStrategy
// are in the settings as they are written.
//
// The package knows no rules and no files.
package release
