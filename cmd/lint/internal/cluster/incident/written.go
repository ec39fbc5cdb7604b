package incident

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/loss"
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
	// Loss is what an uninstall deletes by the chart that the repository names; LossUnknown says why
	// it is not known. Both are empty if no charts are given.
	Loss        *loss.Loss
	LossUnknown string
	// Mask hides what is secret in a text.
	Mask func(string) string
}

// In has releases judged as a repository has them: as the cluster of that name does or, if
// none has it, the first that has the release. Without a tree nothing changes.
func (s *Source) In(tree *effective.Tree, config judge.Configuration) {
	if tree == nil {
		return
	}
	s.Written = func(name release.Name) *Written {
		var all []*effective.Release
		for _, r := range tree.Releases {
			if r.ID() == name {
				all = append(all, r)
			}
		}
		if i := slices.IndexFunc(all, func(r *effective.Release) bool { return r.Cluster == s.Cluster }); i >= 0 {
			all = all[i : i+1]
		}
		if len(all) == 0 {
			return nil
		}
		w := s.WrittenAs(all[0], config)
		for _, other := range all[1:] {
			w.Others = append(w.Others, other.Cluster)
		}
		return w
	}
}

// WrittenAs returns a release of a repository. Its controller is what runs, or else what the
// repository shows.
func (s *Source) WrittenAs(r *effective.Release, config judge.Configuration) *Written {
	controller := s.Controller
	if controller.Version == "" && len(controller.Gates) == 0 {
		controller = r.ControllerFound()
	}
	return &Written{
		Tier: r.Tier, Controller: r.ControllerBy(config.Config, config.Dir(), controller), Cluster: r.Cluster, Mask: r.Mask, Loss: r.Loss, LossUnknown: r.LossUnknown,
		Locate: func(f rules.Finding) (string, int) {
			at := judge.Release{Release: r}.LocateFinding(f)
			return at.File, at.Line
		},
	}
}
