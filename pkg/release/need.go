package release

// Need is a dependency of a release that is never ready, or may never be: helm-controller does nothing
// for the release meanwhile (DependencyNotReady). Source: checkDependencies in
// internal/controller/helmrelease_controller.go of helm-controller.
type Need struct {
	// At is its index in spec.dependsOn, Name its namespace/name.
	At   int     `json:"at"`
	Name string  `json:"name"`
	Is   Unready `json:"is"`
	// Hint says what may have been meant, for the end of a sentence; empty if nothing is near.
	Hint string `json:"hint"`
	// Way is the way of a circle, by kind and name, with the release at both ends. Begins reports whether it is only
	// closed while nothing is there yet, as on a new cluster.
	Way    []string `json:"way"`
	Begins bool     `json:"begins"`
}

// Unready is why a dependency is not ready.
type Unready string

// It is not on the cluster; it is suspended; it waits for the release itself; what may apply it cannot be
// built, as the hint says; or the tree does not show whether something else applies it.
const (
	Missing   Unready = "missing"
	Suspended Unready = "suspended"
	Circular  Unready = "circular"
	Unbuilt   Unready = "unbuilt"
	Elsewhere Unready = "elsewhere"
)
