package release

// Above is what is known of the Flux Kustomization that applies a release, and of those that depend on it.
type Above struct {
	// Kustomization is its namespace/name.
	Kustomization string `json:"kustomization"`
	// Waits reports whether it waits for the health of the release.
	Waits bool `json:"waits"`
	// Dependents are those that depend on it, by namespace/name.
	Dependents []string `json:"dependents"`
	// Retry is after how long it is tried again, and RetryField the field that says so.
	Retry      Duration `json:"retry"`
	RetryField string   `json:"retryField"`
	// Late is how long it is not ready after a release that fails once has recovered.
	Late Duration `json:"late"`
}
