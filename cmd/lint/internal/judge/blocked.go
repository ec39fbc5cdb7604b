package judge

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// holdBack notes which releases are held back by another object: Flux applies nothing of a
// Kustomization of which it cannot apply one.
func (s *State) holdBack() {
	culprits := map[effective.Together]string{}
	for _, r := range s.Releases {
		if rule := r.blocking(); rule != "" && culprits[r.Together()] == "" {
			culprits[r.Together()] = fmt.Sprintf("by %s, %s", r.ID(), rule)
		}
	}
	delete(culprits, effective.Together{})
	for i, r := range s.Releases {
		with := r.Together()
		reason := with.Blocked()
		if by := culprits[with]; reason == "" && r.blocking() == "" {
			reason = by
		}
		if reason != "" {
			s.Releases[i].BlockedBy = fmt.Sprintf("Kustomization %s is blocked %s", with.Name(), reason)
			if r.Resumed != nil {
				r.Resumed.BlockedBy = s.Releases[i].BlockedBy
			}
		}
	}
}

// blocking returns the first rule by which Flux cannot apply the release; "" if it can.
func (r Release) blocking() string {
	for _, f := range r.Verdict.Findings {
		if f.Blocks {
			return f.Rule
		}
	}
	return ""
}

// blocks returns what a finding of the release blocks.
func (r Release) blocks(f rules.Finding) []report.Blocked {
	by := r.Together()
	if !f.Blocks || by == (effective.Together{}) {
		return nil
	}
	return []report.Blocked{{Kustomization: r.Mask(by.Name()), Cluster: r.Cluster, Releases: by.Releases()}}
}
