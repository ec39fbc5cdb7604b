// Package output is where a report goes: to standard output or to a file, once for
// each -o FORMAT[=FILE].
package output

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Output is one -o FORMAT[=FILE].
type Output struct {
	Format report.Format
	File   string // standard output if empty
}

// Parse reads the values of -o. The file "-" is standard output.
func Parse(values []string, formats []report.Format) ([]Output, error) {
	var outputs []Output
	for _, value := range values {
		name, file, named := strings.Cut(value, "=")
		i := slices.IndexFunc(formats, func(f report.Format) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("-o %s: unknown format: want %s%s", value, strings.Join(Names(formats), ", "), rules.DidYouMean(name, Names(formats)))
		}
		if named && file == "" {
			return nil, fmt.Errorf("-o %s: no file is named", value)
		}
		o := Output{formats[i], file}
		if file == "-" {
			o.File = ""
		}
		if same := slices.IndexFunc(outputs, o.clashes); same >= 0 {
			return nil, fmt.Errorf("-o %s: -o %s is written to the same place: name another file, as -o %s=FILE", value, values[same], name)
		}
		outputs = append(outputs, o)
	}
	return outputs, nil
}

// IsText reports whether it is the text for people.
func (o Output) IsText() bool { return o.Format.Name == "text" }

// Bare reports whether no output has a place for what judged.
func Bare(outputs []Output) bool {
	return !slices.ContainsFunc(outputs, func(o Output) bool { return !o.Format.Bare })
}

// Suggested reports whether an output shows edits of files.
func Suggested(outputs []Output) bool {
	return slices.ContainsFunc(outputs, func(o Output) bool { return o.Format.Hunks })
}

// Decided reports whether an output shows where each setting is written.
func Decided(outputs []Output) bool {
	return slices.ContainsFunc(outputs, func(o Output) bool { return o.Format.Decided })
}

// clashes reports whether two outputs cannot be written to where they go.
func (o Output) clashes(other Output) bool {
	return o.File == other.File && (o.File != "" || !o.Format.Lines || !other.Format.Lines)
}

// Listed returns the severity of the mildest findings that are listed. Those that fail the
// run are never hidden.
func Listed(minSeverity string, failOn rules.Severity) (rules.Severity, error) {
	listed, err := rules.ParseSeverity(minSeverity)
	switch {
	case err != nil || listed == rules.Off:
		return "", fmt.Errorf("--min-severity %s: want error, warning or info", minSeverity)
	case failOn != rules.Off && !failOn.AtLeast(listed):
		return failOn, nil
	}
	return listed, nil
}

// Severities lists the names of severities.
func Severities() []string {
	return words.Of(rules.Severities, func(s rules.Severity) string { return string(s) })
}

// Names lists the names of formats.
func Names(formats []report.Format) []string {
	return words.Of(formats, func(f report.Format) string { return f.Name })
}

// Write opens what is written to, and has it written.
func (o Output) Write(out io.Writer, report func(io.Writer) error) error {
	if o.File == "" {
		return report(out)
	}
	var text bytes.Buffer
	if err := report(&text); err != nil {
		return fmt.Errorf("write report %s: %w", o.File, err)
	}
	if err := files.Write(o.File, text.Bytes()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// Diff writes a diff to all outputs, with the options for where each goes.
func Diff(out io.Writer, outputs []Output, diff report.Diff, options func(io.Writer) report.Options) error {
	for _, o := range outputs {
		if err := o.Write(out, func(w io.Writer) error { return o.Format.WriteDiff(w, diff, options(w)) }); err != nil {
			return err
		}
	}
	return nil
}
