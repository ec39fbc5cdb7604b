// Package release holds one HelmRelease as Flux will apply it: the object, its
// effective failure settings as helm-controller resolves them, the tier it is
// judged in, the controller that acts on it, and paths to its fields. It knows
// no rules and no files.
package release
