package judge

import (
	"context"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// resume judges a suspended release as it will be when it is resumed: what a change makes worse in it has effect
// from then on. It returns nil of one that is not suspended.
func (e *Evaluator) resume(ctx context.Context, r *effective.Release) (*Release, error) {
	if r.Settings == nil || !r.Settings.Suspend {
		return nil, nil
	}
	then := &Release{Release: r.Edited([]rules.Edit{{Path: release.Path{"spec", "suspend"}}})}
	var err error
	then.Verdict, err = e.evaluate(ctx, then.Release)
	return then, err
}

// keepSuspended adds what is found of suspended releases now to what is found when they are resumed.
func (s *State) keepSuspended() {
	for _, r := range s.Releases {
		if r.Resumed == nil {
			continue
		}
		now := r.Verdict
		now.Findings = slices.Clone(now.Findings)
		r.Resumed.suspended = &now
		all := slices.Clone(now.Findings)
		for _, f := range r.Resumed.Verdict.Findings {
			if r.Resumed.Awaits(f) {
				f.Message = "when the release is resumed: " + f.Message
				all = append(all, f)
			}
		}
		r.Resumed.Verdict.Findings = all
	}
}

// Then returns a suspended release as it will be when it is resumed, and any other as it is.
func (r Release) Then() Release {
	if r.Resumed != nil {
		return *r.Resumed
	}
	return r
}

// Awaits reports whether a finding is one only when the release, which is suspended, is resumed.
func (r Release) Awaits(f rules.Finding) bool {
	return r.suspended != nil && !slices.ContainsFunc(r.suspended.Findings, func(now rules.Finding) bool {
		return now.Rule == f.Rule && now.Path.String() == f.Path.String()
	})
}

// asResumed replaces the suspended releases that are compared as they will be when they are resumed.
func (run *Run) asResumed(compared map[place]bool) {
	for i, r := range run.Releases {
		if r.Resumed != nil && compared[placeOf(r)] {
			run.Releases[i] = *r.Resumed
		}
	}
}
