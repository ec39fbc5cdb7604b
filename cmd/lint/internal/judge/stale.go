package judge

import (
	"path/filepath"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// stale lists the entries that the run would have found if they were still there: what
// they are of was judged, or nothing hides that it is gone. An entry of a rule that is not
// loaded is not stale.
func (b *Baseline) stale(run *Run, engine *rules.Engine, now map[report.Known][]match) []report.Known {
	stale := []report.Known{}
	for _, k := range b.Findings {
		switch {
		case len(engine.Named(k.Rule)) == 0, len(now[k]) > 0:
		case k.Field != "" && run.seesPlace(b, k, engine), k.Field == "" && run.seesRelease(b, k, engine):
			stale = append(stale, k)
		}
	}
	return stale
}

// seesPlace reports whether the run would find what an entry is of: it has looked at all
// of the file's folder, and judged what the file is of. Everything must
// be built then; if that is no release it knows, nothing must be undetermined.
func (run *Run) seesPlace(b *Baseline, k report.Known, engine *rules.Engine) bool {
	dir := filepath.Dir(b.file)
	if !run.covers(filepath.Dir(filepath.Join(dir, filepath.FromSlash(k.File)))) {
		return false
	}
	near := false
	for _, r := range run.Releases {
		if r.isOf(k.File, dir) {
			if near = true; r.leavesOpen(k.Rule, engine) {
				return false
			}
		}
	}
	return run.built() && (near || len(run.Tree.Undetermined) == 0)
}

// isOf reports whether a release is written in a file, or applied by what is.
func (r Release) isOf(file, dir string) bool {
	if fileFrom(dir, r.File) == file {
		return true
	}
	for _, by := range r.AppliedBy {
		if fileFrom(dir, by.File) == file {
			return true
		}
	}
	return false
}

// leavesOpen reports whether it is not known if a release has a finding of a rule.
func (r Release) leavesOpen(name string, engine *rules.Engine) bool {
	open := r.openRules()
	return r.Verdict.Class == rules.ClassUnknown ||
		slices.ContainsFunc(engine.Named(name), func(rule rules.Rule) bool { return slices.Contains(open, rule.ID) })
}

// seesRelease reports whether the run has judged the release that an entry is of, or sees
// that it is gone.
func (run *Run) seesRelease(b *Baseline, k report.Known, engine *rules.Engine) bool {
	dir, seen := filepath.Dir(b.file), false
	for _, r := range run.Releases {
		if of := r.entry(rules.Finding{}, dir); of.Release == k.Release && of.Cluster == k.Cluster && of.File == k.File {
			if seen = true; r.leavesOpen(k.Rule, engine) {
				return false
			}
		}
	}
	return seen || run.sees(dir, k.Cluster)
}
