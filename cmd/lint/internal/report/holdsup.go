package report

import "github.com/flux-remedy/remedy/pkg/release"

// HoldsUp is what stands still while a release fails, because it waits for it.
type HoldsUp struct {
	// Summary says it in a line.
	Summary string `json:"summary"`
	// Kustomizations and Releases count those that no commit reaches, and releases that depend on it.
	Kustomizations int `json:"kustomizations"`
	Releases       int `json:"releases"`
	// For is how long; zero if as long as the cause lasts or, if NeedsHuman, until a human acts.
	For        release.Duration `json:"for,omitzero"`
	NeedsHuman bool             `json:"needsHuman,omitempty"`
	// Unknown says what of it is not known.
	Unknown []string `json:"unknown,omitempty"`
}

// clause says it behind a message; empty if nothing stands still.
func (h *HoldsUp) clause() string {
	if h == nil {
		return ""
	}
	return "; holds up " + h.Summary
}

// weight orders what is held up: more releases, then more Kustomizations.
func (h *HoldsUp) weight() int {
	if h == nil {
		return 0
	}
	return 1000*h.Releases + h.Kustomizations
}

// Blocked is a Kustomization of which Flux applies nothing, but for CRDs, ClusterRoles,
// Namespaces and classes.
type Blocked struct {
	// Kustomization is namespace/name, Releases how many it applies.
	Kustomization string `json:"kustomization"`
	Cluster       string `json:"cluster,omitempty"`
	Releases      int    `json:"releases"`
}
