package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// Options say how a report is shown, where the format leaves it open.
type Options struct {
	// Color switches terminal colours on.
	Color bool
	// Width is that of the terminal in columns; zero wraps no lines.
	Width int
	// Source gives a line of a file, counted from 1; false if it is not known.
	// Nil shows no source lines.
	Source func(file string, line int) (string, bool)
	// Rules describe the rules to formats that carry descriptions.
	Rules []rules.Rule
	// Page gives the whole page of a rule as Markdown; nil shows its description.
	Page func(rules.Rule) string
	// Version of the program; empty if unknown.
	Version string
	// MinSeverity is that of the mildest findings that formats for people
	// list; empty lists all.
	MinSeverity rules.Severity
	// Drawings show forecasts in pages; without, they are told in a sentence.
	Drawings Drawings
}

// line gives the source line that a finding points at.
func (o Options) line(f Finding) (string, bool) {
	if o.Source == nil || f.Line == 0 {
		return "", false
	}
	return o.Source(f.File, f.Line)
}

// format is a way to write a report or a diff.
type format[T any] struct {
	name  string
	write func(io.Writer, T, Options) error
}

func formatNames[T any](formats []format[T]) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

func writeAs[T any](formats []format[T], w io.Writer, name string, what T, opts Options) error {
	i := slices.IndexFunc(formats, func(f format[T]) bool { return f.name == name })
	if i < 0 {
		return fmt.Errorf("unknown format %q", name)
	}
	return formats[i].write(w, what, opts)
}

// formats by name, the default first.
var formats = []format[Report]{
	{"text", writeText},
	{"json", writeJSON},
	{"compact", writeCompact},
	{"sarif", writeSARIF},
	{"github", writeGitHub},
	{"gitlab", writeGitLab},
	{"junit", writeJUnit},
	{"markdown", writeMarkdown},
	{"html", writeHTML},
}

// whole are the formats that hold every finding, whatever its severity: they
// are read by tools, or can be searched.
var whole = []string{"json", "sarif", "html"}

// Formats lists the names of the formats, the default first.
func Formats() []string { return formatNames(formats) }

// Write writes a report in a format of [Formats].
func Write(w io.Writer, name string, r Report, opts Options) error {
	if opts.MinSeverity != "" && !slices.Contains(whole, name) {
		r = r.without(opts.MinSeverity)
	}
	return writeAs(formats, w, name, r, opts)
}
