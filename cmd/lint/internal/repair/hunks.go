package repair

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// hunksOf returns a function that turns a fix of a release into edits of the
// files that decide. It returns none if one of the files cannot be edited to that
// end, or if a safe fix would remove a comment. Whether other releases object, only
// a [Repairer] looks at. Equal edits, as of several clusters, are made once.
func hunksOf() judge.Hunks {
	made := map[string][]report.Hunk{}
	return func(r judge.Release, fix *rules.Fix) []report.Hunk {
		edits, err := editsOf(r, fix)
		if err != nil {
			return nil
		}
		key := fmt.Sprint(fix.Safe, edits)
		if _, ok := made[key]; !ok {
			made[key] = hunks(edits, fix.Safe)
		}
		return made[key]
	}
}

// Suggest runs the repairer. It returns a function that turns the fixes that it has made
// into edits of files, each alone, and none of the others.
func (r *Repairer) Suggest() (judge.Hunks, error) {
	if err := r.Run(); err != nil {
		return nil, err
	}
	admitted := map[string]bool{}
	for _, m := range r.made {
		for _, t := range m.targets {
			admitted[fmt.Sprint(t.release, t.finding.Fix.Set)] = true
		}
	}
	all := hunksOf()
	return func(of judge.Release, fix *rules.Fix) []report.Hunk {
		if !admitted[fmt.Sprint(identityOf(of), fix.Set)] {
			return nil
		}
		return all(of, fix)
	}, nil
}

func hunks(edits []flux.Edit, safe bool) []report.Hunk {
	var names []string
	for _, edit := range edits {
		names = append(names, edit.File)
	}
	files, err := Open(names)
	if err != nil {
		return nil
	}
	next, err := files.With(edits)
	if err != nil || safe && files.Lost(next) != "" {
		return nil
	}
	return next.Hunks()
}
