package judge

import (
	"context"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// resume is the edit that resumes a release.
var resume = []rules.Edit{{Path: release.Path{"spec", "suspend"}}}

// Resume judges the suspended releases of a state as they will be when they are resumed, too: what a change
// makes worse in them has effect from then on.
func (e *Evaluator) Resume(ctx context.Context, s State) error {
	for i, r := range s.Releases {
		if r.Settings == nil || !r.Settings.Suspend {
			continue
		}
		then, err := e.Foresee(ctx)(r, resume)
		if err != nil {
			return err
		}
		all := slices.Clone(r.Verdict.Findings)
		for _, f := range then.Verdict.Findings {
			if !slices.ContainsFunc(r.Verdict.Findings, func(now rules.Finding) bool { return now.Rule == f.Rule && now.Path.String() == f.Path.String() }) {
				f.Message = "when the release is resumed: " + f.Message
				all = append(all, f)
			}
		}
		then.Verdict.Findings = all
		s.Releases[i].Resumed = &then
	}
	return nil
}

// asResumed replaces the suspended releases that are compared as they will be when they are resumed.
func (run *Run) asResumed(compared map[place]bool) {
	for i, r := range run.Releases {
		if r.Resumed != nil && compared[placeOf(r)] {
			run.Releases[i] = *r.Resumed
		}
	}
}
