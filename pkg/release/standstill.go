package release

// StandstillOf is what commits do not reach.
type StandstillOf string

const (
	// OfRelease is all of a release.
	OfRelease StandstillOf = "release"
	// OfChart is the chart of a release alone.
	OfChart StandstillOf = "chart"
	// OfAbove is a Kustomization that leads to a release. What that builds is still applied, if the cluster has it.
	OfAbove StandstillOf = "above"
)

// Standstill is something that Flux leaves as it is, so that commits do not reach a release, or not all that makes it.
type Standstill struct {
	// Object is Kind/namespace/name of what Path is of, empty for the release.
	Object string `json:"object"`
	Path   Path   `json:"path"`
	// Why says so, as "Kustomization flux-system/apps is suspended".
	Why string `json:"why"`
	// Open is true if a variable that is not known decides whether it is so.
	Open bool         `json:"open"`
	Of   StandstillOf `json:"of"`
	// Waiting are the Kustomizations that stand still with it since they depend on it, by namespace/name: a few, and
	// how many more there are.
	Waiting []string `json:"waiting,omitempty"`
}
