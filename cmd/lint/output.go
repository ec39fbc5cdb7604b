package main

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/output"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulebook"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// outputFlag registers the flag for parseOutputs.
func outputFlag(cmd *cobra.Command, to *[]string, formats []report.Format) {
	names := output.Names(formats)
	cmd.Flags().StringArrayVarP(to, "output", "o", names[:1], "`FORMAT[=FILE]`: "+strings.Join(names, ", ")+"; repeatable")
	cmd.Flags().Lookup("output").DefValue = names[0] // not [text]
	complete(cmd, "output", names)
}

// suggested reports whether an output shows edits of files.
func suggested(outputs []output.Output) bool {
	return slices.ContainsFunc(outputs, func(o output.Output) bool { return o.Format.Hunks })
}

// decided reports whether a format shows where each setting is written.
func decided(outputs []output.Output) bool {
	return slices.ContainsFunc(outputs, func(o output.Output) bool { return o.Format.Decided })
}

// minSeverityFlag registers the flag for listed. It leaves some formats alone.
func minSeverityFlag(cmd *cobra.Command, to *string, formats []report.Format) {
	whole := output.List(output.Names(slices.DeleteFunc(formats, func(f report.Format) bool { return !f.Whole })))
	cmd.Flags().StringVar(to, "min-severity", string(rules.Warning),
		"list findings of this `SEVERITY` or worse: error, warning or info ("+whole+" always hold all)")
	complete(cmd, "min-severity", slices.DeleteFunc(severities(), func(s string) bool { return s == string(rules.Off) }))
}

// lengthOf returns the characters of a line of a file that was read, counted from 1,
// and reports whether there is one.
type lengthOf = func(file string, line int) (int, bool)

func reportOptions(w io.Writer, known []rules.Rule, lengths lengthOf) report.Options {
	width, height := terminal.Size(w)
	opts := report.Options{
		Color: terminal.Colored(w, os.Getenv), Width: width, Height: height, Length: lengths,
		Rules: known, Page: rulebook.Page, RuleURL: rulebook.URL, Version: buildVersion(),
		Drawings: report.Drawings{Style: timeline.Style, Lines: timeline.Lines, Draw: timeline.Fragment},
	}
	if terminal.Links(w, os.Getenv) {
		opts.FileURL = terminal.FileURL
	}
	return opts
}
