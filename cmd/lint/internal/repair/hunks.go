package repair

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair/draft"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// hunksOf returns a function that turns a fix of a release into edits of the
// files that decide. It returns none if one of the files cannot be edited to that
// end, or if a safe fix would remove a comment. Whether other releases object, only
// a [Repairer] looks at. Equal edits, as of several clusters, are made once.
func hunksOf(unsaved map[string][]byte) judge.Hunks {
	made := map[string][]report.Hunk{}
	return func(r judge.Release, fix *rules.Fix) []report.Hunk {
		edits, err := editsOf(r, fix)
		if err != nil {
			return nil
		}
		key := fmt.Sprint(fix.Safe, edits)
		if _, ok := made[key]; !ok {
			made[key] = hunks(edits, fix.Safe && !replaces(edits), unsaved)
		}
		return made[key]
	}
}

// Suggest runs the repairer. It returns a function that turns the fixes that it has made
// into edits of files, each alone, and none of the others. A fix that another edit makes
// needless is that edit.
func (r *Repairer) Suggest() (judge.Hunks, error) {
	if err := r.Run(); err != nil {
		return nil, err
	}
	key := func(of identity, fix *rules.Fix) string { return fmt.Sprint(of.key(), fix.Set) }
	admitted := map[string]*target{} // nil if the fix itself is made
	for _, m := range r.made {
		for _, t := range m.targets {
			own, err := editsOf(t.of, t.finding.Fix)
			admitted[key(t.release, t.finding.Fix)] = nil
			if err == nil && !m.makesAll(own) {
				admitted[key(t.release, t.finding.Fix)] = &m.targets[0]
			}
		}
	}
	all := hunksOf(r.planner.Unsaved)
	return func(of judge.Release, fix *rules.Fix) []report.Hunk {
		instead, ok := admitted[key(identityOf(of), fix)]
		switch {
		case !ok:
			return nil
		case instead != nil:
			return all(instead.of, instead.finding.Fix)
		}
		return all(of, fix)
	}, nil
}

func hunks(edits []effective.Edit, safe bool, unsaved map[string][]byte) []report.Hunk {
	var names []string
	for _, edit := range edits {
		names = append(names, edit.File)
	}
	files, err := draft.Open(names, unsaved)
	if err != nil {
		return nil
	}
	next, err := files.With(edits)
	if err != nil || safe && len(files.Lost(next)) > 0 {
		return nil
	}
	return next.Hunks()
}
