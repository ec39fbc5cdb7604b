package effective

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective/estate"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Release is a HelmRelease as one cluster would run it.
type Release struct {
	*release.Release
	origins
	surroundings
	mask

	// Commented returns the comments that count for a finding, which a place decides; nil if
	// there are none.
	Commented func(rules.Finding, Location) []*Comment
	// Was is the release that it was, if the policy of the base judges it: an entry of the
	// configuration for a cluster, a file or a field must be for that one too. It may be nil.
	Was *Release
	// Removed is true of a release of the base of a change that is gone since, so that Flux uninstalls it.
	Removed bool

	by       []string    // the names of the Kustomizations that apply it, without what Secrets supply
	located  []located   // what Locate has returned
	estates  *estate.All // of its tree
	appliers []*Subject  // the Kustomizations that apply it; each nil until it is asked for
	contents *contents   // what the chart renders; nil if that is not known
}

// surroundings decide the tier and the controller of a release.
type surroundings struct {
	// TierFrom is the fact that decided its tier, for people.
	TierFrom string
	// TierIgnored says which marker of a tier is not followed; empty if there is none.
	TierIgnored string
	// ControllerFrom names what says which helm-controller acts on it, or why the version
	// is not known; empty if nothing says so. ControllerNotes are on what contradicts.
	ControllerFrom  string
	ControllerNotes []string

	file     string // that it is written in
	rel      string // path of the file in the tree
	at       rules.Place
	evidence release.Evidence
	found    release.Controller // as the tree shows it
}

// Value returns the effective value at a path, and reports whether it is set.
func (r *Release) Value(at release.Path) (any, bool) { return object.Follow(r.Object, at) }
