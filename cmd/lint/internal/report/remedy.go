package report

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Remedy is how a finding goes away: what to write, and where.
type Remedy struct {
	// Kind is the kind of --fix that writes it: safe or unsafe; empty if none can, and then
	// Unable says why.
	Kind   string
	Unable string
	// Selected is true if only --fix with the rule in --select writes it.
	Selected bool
	// Above is true if the field is one of the Kustomization that applies the release.
	Above bool
	// Lines are the YAML to write where the field is decided, as part of its object, and
	// Remove the fields to take away.
	Lines  []string
	Remove []string
	// Other says how to choose the other class that would be accepted, and what it writes; empty if there is no
	// choice. Cost returns what is to be known of the remedy. Both are worked out when they are called, because few
	// of many remedies are shown. Other is nil if none is written, Cost if the settings are not known.
	Other func() string
	Cost  func() Cost
	// Central is where one patch does the same for many releases, for a field that is set
	// nowhere; nil if there is no such place.
	Central *Site
	// Apart are the remedies of other clusters where a patch in another place does it.
	Apart []*Remedy
}

// and returns a remedy that tells also of another one for the same finding, of another cluster.
func (r *Remedy) and(other *Remedy) *Remedy {
	if r == nil || other == nil || r.Central == nil || other.Central == nil {
		return r
	}
	if slices.ContainsFunc(r.each(), func(one *Remedy) bool { return one.Central.Place == other.Central.Place }) {
		return r
	}
	out := *r
	out.Apart = append(slices.Clip(r.Apart), other)
	return &out
}

// PatchedAt reports whether one patch at a line would repair a finding, with those of other releases.
func (f Finding) PatchedAt(file string, line int) bool {
	return slices.ContainsFunc(f.Remedy.each(), func(r *Remedy) bool {
		return r != nil && r.Central != nil && r.Central.File == file && r.Central.Line == line
	})
}

// each lists a remedy and those of other clusters.
func (r *Remedy) each() []*Remedy {
	if r == nil {
		return []*Remedy{nil}
	}
	return slices.Concat([]*Remedy{r}, r.Apart)
}

// Cost is what a remedy brings with it.
type Cost struct {
	// NeedsHuman are the scenarios that need a human after it and do not as it is.
	NeedsHuman []string
	// Stays says what it leaves although it looks idle then, and why; empty if there is nothing.
	Stays string
}

// Site is a place for a patch of many releases.
type Site struct {
	Place
	// Lines are the YAML to write there.
	Lines []string
	// Releases counts those that it sets this for, whatever the rule that reports them.
	Releases int
}

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
