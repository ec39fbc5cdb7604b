// Package revive asks helm-controller to try HelmReleases again that need a human, as far
// as the forecast says that it helps.
//
//  1. [Options] say which releases of which cluster (options.go, plan.go).
//  2. Each gets a [Step]: the mildest request that is enough, or why there is none
//     (plan.go, request.go).
//  3. A runner makes the requests, some at once, and waits for what comes of each (run.go,
//     request.go). It begins no other after one that fails again.
//
// A request is annotations that "flux reconcile" sets, too. Nothing else of an object is
// changed, and nothing is ever deleted.
package revive
