package fleet

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Applied is a HelmRelease that a Kustomization applies.
type Applied struct {
	Object map[string]any
	// Reasons holds, by unknown variable in it, why the variable is unknown.
	Reasons map[string]string
	By      *entries.Kustomization
	// Template is the ResourceSet that it is rendered from; nil if it is not.
	Template map[string]any
	// Outcome is true if it is one of several that the cluster may have.
	Outcome bool
}

// IsOutcome reports whether the release is one of several that the cluster may have.
func (a Applied) IsOutcome() bool { return a.Outcome || a.By.IsOutcome() }

// Unbuilt is a Kustomization that cannot be built, so that nothing is known of what it applies.
type Unbuilt struct {
	Why   release.Undetermined
	Name  string          // namespace/name
	Files map[string]bool // that it reads, by their names for people
}
