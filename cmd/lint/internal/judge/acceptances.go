package judge

import (
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// Acceptances lists the entries of spec.undetermined.accept. One that matches
// nothing is left out if the run may not have seen what it is for, as behind a build
// that fails, unless it has expired.
func (run *Run) Acceptances(config Configuration) []report.AcceptedGap {
	var out []report.AcceptedGap
	covered := config.File != "" && config.Root == "" && run.covers(filepath.Dir(config.File)) && len(run.Tree.Unbuilt())+len(run.Tree.Problems) == 0
	for i, entry := range config.Spec.Undetermined.Accept {
		a := report.AcceptedGap{
			AcceptEntry: entry, DaysLeft: entry.Until.Days(run.Now), State: stateOf(entry.Until, run.Tree.Accepting[i], run.Now),
		}
		if a.State != report.WaiverUnused || covered {
			a.File, a.Line = config.Place("spec", "undetermined", "accept", i)
			out = append(out, a)
		}
	}
	return out
}
