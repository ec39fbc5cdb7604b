package incident

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Written is a release in a repository.
type Written struct {
	Tier       release.Tier
	Controller release.Controller
	// Locate returns where a finding is to be mended.
	Locate func(rules.Finding) (file string, line int)
	// Mask hides what is secret in a text.
	Mask func(string) string
}

// In finds releases in a repository. Of several clusters that have one, it takes the
// first.
func In(tree *flux.Tree) func(release.Name) *Written {
	return func(name release.Name) *Written {
		i := slices.IndexFunc(tree.Releases, func(r *flux.Release) bool { return r.ID() == name })
		if i < 0 {
			return nil
		}
		r := judge.Release{Release: tree.Releases[i]}
		return &Written{
			Tier: r.Tier, Controller: r.Controller, Mask: r.Mask,
			Locate: func(f rules.Finding) (string, int) {
				at := r.LocateFinding(f)
				return at.File, at.Line
			},
		}
	}
}
