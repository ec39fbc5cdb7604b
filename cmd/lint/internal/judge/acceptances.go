package judge

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// Acceptances lists the entries of spec.undetermined.accept. One that matches
// nothing is left out if the run may not have seen what it is for, as behind a build
// that fails, unless it has expired.
func (run *Run) Acceptances(config Configuration) []report.AcceptedGap {
	var out []report.AcceptedGap
	covered := run.seesAll(config) && len(run.Tree.Unbuilt())+len(run.Tree.Problems) == 0
	for i, entry := range config.Spec.Undetermined.Accept {
		a := report.AcceptedGap{
			AcceptEntry: entry, DaysLeft: entry.Until.Days(run.Now), State: stateOf(entry.Until, run.Tree.Accepting[i] != nil, run.Now),
		}
		if a.State != report.WaiverUnused || covered {
			a.File, a.Line = config.Place("spec", "undetermined", "accept", i)
			out = append(out, a)
		}
	}
	return out
}

// idle lists the items of paths and releases of acceptances that are used of which nothing undetermined is any more, but for
// those that are said to be unmatched already.
func (run *Run) idle(config Configuration, said []report.Unmatched) []report.Unmatched {
	if len(run.Tree.Unbuilt())+len(run.Tree.Problems) > 0 {
		return nil
	}
	var out []report.Unmatched
	for i, entry := range config.Spec.Undetermined.Accept {
		used := run.Tree.Accepting[i]
		if used == nil || entry.Until.Over(run.Now) {
			continue
		}
		for _, list := range []struct {
			name  string
			items []string
		}{{"paths", entry.Paths}, {"releases", entry.Releases}} {
			for j, item := range list.items {
				member := fmt.Sprintf("%s[%d]", list.name, j)
				field := fmt.Sprintf("spec.undetermined.accept[%d].%s", i, member)
				file, line := config.Place("spec", "undetermined", "accept", i, list.name, j)
				if !used[member] && file == config.Name() && !slices.ContainsFunc(said, func(u report.Unmatched) bool { return u.Field == field }) {
					out = append(out, report.Unmatched{Field: field, Glob: item, File: file, Line: line, Why: "the entry accepts nothing of it any more; remove it"})
				}
			}
		}
	}
	return out
}
