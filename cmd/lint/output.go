package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report/output"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// outputFlag registers the flag for output.Parse.
func outputFlag(cmd *cobra.Command, to *[]string, formats []report.Format) {
	names := output.Names(formats)
	cmd.Flags().StringArrayVarP(to, "output", "o", names[:1], "`FORMAT[=FILE]`: "+strings.Join(names, ", ")+"; repeatable")
	cmd.Flags().Lookup("output").DefValue = names[0] // not [text]
	usage.Complete(cmd, "output", names)
}

// minSeverityFlag registers the flag for output.Listed. It leaves some formats alone.
func minSeverityFlag(cmd *cobra.Command, to *string, formats []report.Format) {
	whole := words.List(output.Names(slices.DeleteFunc(formats, func(f report.Format) bool { return !f.Whole })))
	cmd.Flags().StringVar(to, "min-severity", string(rules.Warning),
		"list findings of this `SEVERITY` or worse: error, warning or info ("+whole+" always hold all)")
	usage.Complete(cmd, "min-severity", slices.DeleteFunc(output.Severities(), func(s string) bool { return s == string(rules.Off) }))
}
