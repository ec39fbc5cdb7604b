package main

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// outputFlag registers the flag for report.ParseOutputs.
func outputFlag(cmd *cobra.Command, to *[]string, formats []report.Format) {
	names := report.FormatNames(formats)
	cmd.Flags().StringArrayVarP(to, "output", "o", names[:1], "`FORMAT[=FILE]`: "+strings.Join(names, ", ")+"; repeatable")
	cmd.Flags().Lookup("output").DefValue = names[0] // not [text]
	usage.Complete(cmd, "output", names)
}

// minSeverityFlag registers the flag for report.Listed. It leaves some formats alone.
func minSeverityFlag(cmd *cobra.Command, to *string, formats []report.Format) {
	whole := words.List(report.FormatNames(slices.DeleteFunc(formats, func(f report.Format) bool { return !f.Whole })))
	cmd.Flags().StringVar(to, "min-severity", string(rules.Warning),
		"list findings of this `SEVERITY` or worse: error, warning or info ("+whole+" always hold all)")
	usage.Complete(cmd, "min-severity", slices.DeleteFunc(report.Severities(), func(s string) bool { return s == string(rules.Off) }))
}

// lineLengths returns the characters of a line of a file that was read, counted from 1, and
// reports whether there is one.
type lineLengths = func(file string, line int) (int, bool)

// reportOptions are those of a report to w. The pages of rules are at an address; empty if that is not known.
func reportOptions(w io.Writer, known []rules.Rule, lengths lineLengths, pages string) report.Options {
	width, height := terminal.Size(w)
	opts := report.Options{
		Color: terminal.Colored(w, os.Getenv), Width: width, Height: height, Length: lengths,
		Rules: known, Page: rulekit.Page, RuleURL: func(rule rules.Rule) string { return rulekit.URL(pages, rule) }, Version: buildVersion(),
		Drawings: report.Drawings{Style: timeline.Style, Lines: timeline.Lines, Draw: timeline.Fragment, Brief: timeline.Brief},
	}
	if terminal.Links(w, os.Getenv) {
		opts.FileURL = terminal.FileURL
	}
	return opts
}
