package incident

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Written is a release in a repository.
type Written struct {
	Tier       release.Tier
	Controller release.Controller
	// Cluster is the one that it was read for; Others have the release, too.
	Cluster string
	Others  []string
	// Locate returns where a finding is to be mended.
	Locate func(rules.Finding) (file string, line int)
	// Mask hides what is secret in a text.
	Mask func(string) string
}

// In finds releases in a repository. Of several clusters that have one, it takes the
// first.
func In(tree *flux.Tree) func(release.Name) *Written {
	return func(name release.Name) *Written {
		var all []*flux.Release
		for _, r := range tree.Releases {
			if r.ID() == name {
				all = append(all, r)
			}
		}
		if len(all) == 0 {
			return nil
		}
		r := judge.Release{Release: all[0]}
		w := &Written{
			Tier: r.Tier, Controller: r.Controller, Cluster: r.Cluster, Mask: r.Mask,
			Locate: func(f rules.Finding) (string, int) {
				at := r.LocateFinding(f)
				return at.File, at.Line
			},
		}
		for _, other := range all[1:] {
			w.Others = append(w.Others, other.Cluster)
		}
		return w
	}
}
