package wave

import "github.com/flux-remedy/remedy/pkg/release"

// Step is a reconcile of a Kustomization.
type Step struct {
	Kustomization string           `json:"kustomization"`
	Began         release.Duration `json:"began"`
	At            release.Duration `json:"at"`
	End           End              `json:"end"`
	// Revision is the commit that it is about, the first is 1; of DependencyNotReady, that of the source.
	Revision int `json:"revision"`
	// Early: the health check did not run into its timeout.
	Early bool `json:"early,omitempty"`
	// For is what it waited for, by Kind/name.
	For []string `json:"for,omitempty"`
}

// End is how a reconcile ends: the reason of the Ready condition.
type End string

// The ends of a reconcile. One that is suspended has none.
const (
	Ready      End = "ReconciliationSucceeded"
	Unhealthy  End = "HealthCheckFailed"
	Canceled   End = "HealthCheckCanceled"
	Dependency End = "DependencyNotReady"
)
