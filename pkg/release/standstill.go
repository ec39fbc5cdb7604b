package release

// Standstill is something that Flux leaves as it is, so that commits do not reach a release, or not its chart.
type Standstill struct {
	// Object is Kind/namespace/name of what Path is of, empty for the release.
	Object string `json:"object"`
	Path   Path   `json:"path"`
	// Why says so, as "Kustomization flux-system/apps is suspended".
	Why string `json:"why"`
	// Open is true if a variable that is not known decides whether it is so.
	Open bool `json:"open"`
	// Chart is true if it keeps commits from the chart alone.
	Chart bool `json:"chart"`
	// Waiting are the Kustomizations that stand still with it since they depend on it, by namespace/name: a few, and
	// how many more there are.
	Waiting []string `json:"waiting,omitempty"`
}
