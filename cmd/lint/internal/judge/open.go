package judge

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// leaveOpen makes a release unknown of which a rule reports a field whose value is not
// known: with the value it may have nothing to say, and what else is judged depends on
// that.
func (r *Release) leaveOpen() {
	for _, f := range r.Verdict.Findings {
		if reason := r.Open(f.Path); reason != "" {
			r.Verdict = rules.Verdict{Class: rules.ClassUnknown}
			r.Unknown = map[string]string{f.Path.String(): reason}
			return
		}
	}
}

// addOpen lists the releases that were left open, each once.
func (s *State) addOpen() {
	for _, r := range s.Releases {
		for at, reason := range r.Unknown {
			u := release.Undetermined{File: r.File, Line: r.Line, Cluster: r.Cluster, Release: r.ID().String(), Reason: at + " " + reason}
			known := slices.ContainsFunc(s.Tree.Undetermined, func(o release.Undetermined) bool {
				return o.Release == u.Release && o.Cluster == u.Cluster && o.File == u.File
			})
			if !known {
				s.Tree.Undetermined = append(s.Tree.Undetermined, u)
			}
		}
	}
}
