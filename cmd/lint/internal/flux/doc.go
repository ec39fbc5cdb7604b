// Package flux turns a Git tree into the HelmReleases that its clusters would
// run: each as Flux will apply it, with the place that decided each field.
//
//  1. A walk lists the files, without leaving the root, and sorts their
//     documents into complete HelmReleases, patches of HelmReleases and the rest.
//  2. What cannot be read is a [Problem]; what is a HelmRelease but cannot be
//     known from the tree alone is [Undetermined]. Neither hides the others.
//  3. Each HelmRelease is put in a [rules.Tier], saying which fact decided.
//  4. [Release.Locate] answers where a person must edit to change a field.
package flux
