package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

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

// heaviest returns the most of what findings hold up.
func heaviest(findings []Finding) int {
	most := 0
	for _, f := range findings {
		most = max(most, f.HoldsUp.weight())
	}
	return most
}

// facts are what a failure and the fault itself do, each with its label.
func (b block) facts() [][2]string {
	var out [][2]string
	if f := b.first(); f.Forecast != nil {
		out = append(out, [2]string{"forecast", f.Forecast.Scenario + ": " + f.Forecast.Outcome.Brief()})
	}
	if of := b.heldUp(); of != "" {
		out = append(out, [2]string{"holds up", of})
	}
	for _, of := range blocked(b.findings()) {
		out = append(out, [2]string{"blocks", of + ": Flux applies nothing of it"})
	}
	return out
}

// heldUp returns what the findings of a block hold up at the most, in a line; empty if nothing.
func (b block) heldUp() string {
	var most *HoldsUp
	for _, f := range b.findings() {
		if f.HoldsUp.weight() > most.weight() {
			most = f.HoldsUp
		}
	}
	if most == nil {
		return ""
	}
	return most.Summary
}

// Blocked is a Kustomization of which Flux applies nothing, but for CRDs, ClusterRoles,
// Namespaces and classes.
type Blocked struct {
	// Kustomization is namespace/name, Releases how many it applies.
	Kustomization string `json:"kustomization"`
	Cluster       string `json:"cluster,omitempty"`
	Releases      int    `json:"releases"`
}

// blocked says of what Flux applies nothing because of a group of findings: "Kustomization
// flux-system/apps with 12 releases", each with its cluster if there are several.
func blocked(group []Finding) []string {
	var all []Blocked
	for _, f := range group {
		for _, b := range f.Blocks {
			if !slices.Contains(all, b) {
				all = append(all, b)
			}
		}
	}
	slices.SortFunc(all, func(a, b Blocked) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Kustomization, b.Kustomization))
	})
	return words.Of(all, func(b Blocked) string {
		text := fmt.Sprintf("Kustomization %s with %s", b.Kustomization, words.Count(b.Releases, "release"))
		if len(all) > 1 && b.Cluster != "" {
			text += fmt.Sprintf(" in cluster %q", b.Cluster)
		}
		return text
	})
}
