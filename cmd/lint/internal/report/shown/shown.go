// Package shown says how reports look where they are shown: on a terminal or in a file, with
// the pages of rules and with drawings.
package shown

import (
	"io"
	"os"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit/rulebook"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Lengths returns the characters of a line of a file that was read, counted from 1, and
// reports whether there is one.
type Lengths = func(file string, line int) (int, bool)

// Options are those of a report that a version of the program writes to w. The pages of rules
// are at an address; empty if that is not known.
func Options(w io.Writer, known []rules.Rule, lengths Lengths, version, pages string) report.Options {
	width, height := terminal.Size(w)
	opts := report.Options{
		Color: terminal.Colored(w, os.Getenv), Width: width, Height: height, Length: lengths,
		Rules: known, Page: rulebook.Page, RuleURL: func(rule rules.Rule) string { return rulebook.URL(pages, rule) }, Version: version,
		Drawings: report.Drawings{Style: timeline.Style, Lines: timeline.Lines, Draw: timeline.Fragment, Brief: timeline.Brief},
	}
	if terminal.Links(w, os.Getenv) {
		opts.FileURL = terminal.FileURL
	}
	return opts
}
