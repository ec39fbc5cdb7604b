package release

// Standstill is something that Flux leaves as it is, so that commits do not reach a release, or not whole.
type Standstill struct {
	// Object is Kustomization/namespace/name if Path is of that, and empty if it is of the release.
	Object string `json:"object"`
	Path   Path   `json:"path"`
	// Why says so, as "Kustomization flux-system/apps is suspended".
	Why string `json:"why"`
	// Of is what stands still.
	Of StandstillOf `json:"of"`
	// Waiting are the Kustomizations that stand still with it since they depend on it, by namespace/name.
	Waiting []string `json:"waiting"`
}

// StandstillOf is what of a release no commit reaches.
type StandstillOf string

// All of it; only its chart; or only what the Kustomization that applies it says itself.
const (
	OfRelease       StandstillOf = "release"
	OfChart         StandstillOf = "chart"
	OfKustomization StandstillOf = "kustomization"
)
