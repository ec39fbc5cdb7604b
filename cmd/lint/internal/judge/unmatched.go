package judge

import (
	"path/filepath"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// Unmatched lists the globs of the configuration that nothing in the tree matches, and what its acceptances list in vain, if the run has seen all of it. Those
// of a configuration that this one extends are for other repositories, too, and what a notice says to be
// unused already is not said to be unmatched.
func (run *Run) Unmatched(config Configuration, waivers []report.Waiver, gaps []report.AcceptedGap) []report.Unmatched {
	if !run.seesAll(config) {
		return nil
	}
	said := func(file string, line int) bool {
		return slices.ContainsFunc(waivers, func(w report.Waiver) bool { return w.File == file && w.Line == line && w.AcceptsNothing() }) ||
			slices.ContainsFunc(gaps, func(a report.AcceptedGap) bool { return a.File == file && a.Line == line && a.AcceptsNothing() })
	}
	var out []report.Unmatched
	for _, u := range run.Tree.Unmatched() {
		file, line := config.Place(u.Path...)
		entry, at := config.Place(u.Path[:len(u.Path)-1]...)
		if file == config.Name() && !said(entry, at) {
			out = append(out, report.Unmatched{Field: u.Path.String(), Glob: u.Glob.Glob, File: file, Line: line, Why: u.Why})
		}
	}
	return append(out, run.idle(config, out)...)
}

// seesAll reports whether a run has seen all that a configuration is for.
func (run *Run) seesAll(config Configuration) bool {
	return config.File != "" && config.Root == "" && run.covers(filepath.Dir(config.File))
}
