// Package variables substitutes what spec.postBuild of a Flux Kustomization defines, as kustomize-controller does. It knows
// no builds: objects and texts go in.
//
// [Of] reads the definitions. [Variables.InText] substitutes in the text of an object as Flux does; [Variables.InValues]
// only in the texts that have a variable, where that is certain to be the same. A variable whose value is not known leaves a
// [Marker], which shows later what depends on it. [Secrets] hides the values that Secrets supply.
package variables
