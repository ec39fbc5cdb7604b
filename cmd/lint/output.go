package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// output is one -o FORMAT[=FILE].
type output struct {
	format report.Format
	file   string // standard output if empty
}

func parseOutputs(values []string, formats []report.Format) ([]output, error) {
	var outputs []output
	for _, value := range values {
		name, file, named := strings.Cut(value, "=")
		i := slices.IndexFunc(formats, func(f report.Format) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("-o %s: unknown format: want %s", value, strings.Join(formatNames(formats), ", "))
		}
		format := formats[i]
		if named && file == "" {
			return nil, fmt.Errorf("-o %s: no file is named", value)
		}
		same := slices.IndexFunc(outputs, func(o output) bool { return o.file == file })
		if same >= 0 && !(file == "" && format.Lines && outputs[same].format.Lines) {
			return nil, fmt.Errorf("-o %s: -o %s is written to the same place: name another file, as -o %s=FILE", value, values[same], name)
		}
		outputs = append(outputs, output{format, file})
	}
	return outputs, nil
}

// outputFlag registers the flag for parseOutputs.
func outputFlag(cmd *cobra.Command, to *[]string, formats []report.Format) {
	names := formatNames(formats)
	cmd.Flags().StringArrayVarP(to, "output", "o", names[:1], "`FORMAT[=FILE]`: "+strings.Join(names, ", ")+"; repeatable")
	cmd.Flags().Lookup("output").DefValue = names[0] // not [text]
	complete(cmd, "output", names)
}

func formatNames(formats []report.Format) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return names
}

// hunksFor returns how the edits of files are made; nil if no output shows them.
func hunksFor(outputs []output) judge.Hunks {
	if !slices.ContainsFunc(outputs, func(o output) bool { return o.format.Hunks }) {
		return nil
	}
	return repair.NewHunks()
}

// write opens what is written to, and has it written.
func (o output) write(std streams, report func(io.Writer) error) error {
	if o.file == "" {
		return report(std.out)
	}
	var text bytes.Buffer
	if err := report(&text); err != nil {
		return fmt.Errorf("write report %s: %w", o.file, err)
	}
	if err := files.Write(o.file, text.Bytes()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// minSeverityFlag registers the flag for listed. It leaves some formats alone.
func minSeverityFlag(cmd *cobra.Command, to *string, formats []report.Format) {
	whole := list(formatNames(slices.DeleteFunc(formats, func(f report.Format) bool { return !f.Whole })))
	cmd.Flags().StringVar(to, "min-severity", string(rules.Warning),
		"list findings of this `SEVERITY` or worse: error, warning or info ("+whole+" always hold all)")
	complete(cmd, "min-severity", slices.DeleteFunc(severities(), func(s string) bool { return s == string(rules.Off) }))
}

// listed returns the severity of the mildest findings that are listed. Those that
// fail the run are never hidden.
func listed(minSeverity string, failOn rules.Severity) (rules.Severity, error) {
	listed, err := rules.ParseSeverity(minSeverity)
	switch {
	case err != nil || listed == rules.Off:
		return "", fmt.Errorf("--min-severity %s: want error, warning or info", minSeverity)
	case failOn != rules.Off && !failOn.AtLeast(listed):
		return failOn, nil
	}
	return listed, nil
}

// lengthOf returns the characters of a line of a file that was read, counted from 1,
// and reports whether there is one.
type lengthOf = func(file string, line int) (int, bool)

func reportOptions(w io.Writer, known []rules.Rule, lengths lengthOf) report.Options {
	return report.Options{
		Color: terminal.Colored(w, os.Getenv), Width: terminal.Width(w), Length: lengths,
		Rules: known, Page: rulePage, Version: buildVersion(),
		Drawings: report.Drawings{Style: timeline.Style, Draw: timeline.Fragment},
	}
}

// list joins names: "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
