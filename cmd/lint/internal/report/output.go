package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Output is one -o FORMAT[=FILE].
type Output struct {
	Format Format
	File   string // standard output if empty
}

// Outputs are those of a run: a report goes to each.
type Outputs []Output

// ParseOutputs reads the values of -o. The file "-" is standard output.
func ParseOutputs(values []string, formats []Format) (Outputs, error) {
	var outputs Outputs
	for _, value := range values {
		name, file, named := strings.Cut(value, "=")
		i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("-o %s: unknown format: want %s%s", value, strings.Join(FormatNames(formats), ", "), rules.DidYouMean(name, FormatNames(formats)))
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
func (all Outputs) Bare() bool {
	return !slices.ContainsFunc(all, func(o Output) bool { return !o.Format.Bare })
}

// Suggested reports whether an output shows edits of files.
func (all Outputs) Suggested() bool {
	return slices.ContainsFunc(all, func(o Output) bool { return o.Format.Hunks })
}

// Decided reports whether an output shows where each setting is written.
func (all Outputs) Decided() bool {
	return slices.ContainsFunc(all, func(o Output) bool { return o.Format.Decided })
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

// FormatNames lists the names of formats.
func FormatNames(formats []Format) []string {
	return words.Of(formats, func(f Format) string { return f.Name })
}

// Write opens what is written to, and has it written.
func (o Output) Write(out io.Writer, write func(io.Writer) error) error {
	if o.File == "" {
		return write(out)
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return fmt.Errorf("write report %s: %w", o.File, err)
	}
	if err := files.Write(o.File, text.Bytes()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// WriteDiff writes a diff to all outputs, with the options for where each goes.
func (all Outputs) WriteDiff(out io.Writer, diff Diff, options func(io.Writer) Options) error {
	for _, o := range all {
		if err := o.Write(out, func(w io.Writer) error { return o.Format.WriteDiff(w, diff, options(w)) }); err != nil {
			return err
		}
	}
	return nil
}
