package report

import (
	"fmt"
	"io"
	"os"
	"slices"

	"golang.org/x/term"
)

// Options say how a report is shown, where the format leaves it open.
type Options struct {
	// Color switches terminal colours on.
	Color bool
	// Source gives a line of a file, counted from 1; false if it is not known.
	// Nil shows no source lines.
	Source func(file string, line int) (string, bool)
}

type format struct {
	name  string
	write func(io.Writer, Report, Options) error
}

// formats by name, the default first.
var formats = []format{
	{"text", writeText},
	{"json", writeJSON},
}

// Formats lists the names of the formats, the default first.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Write writes a report in a format of [Formats].
func Write(w io.Writer, name string, r Report, opts Options) error {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return fmt.Errorf("unknown format %q", name)
	}
	return formats[i].write(w, r, opts)
}

// Colored tells whether what is written to w should have colours: on a
// terminal, unless NO_COLOR is set, and wherever FORCE_COLOR is.
func Colored(w io.Writer, getenv func(string) string) bool {
	if getenv("NO_COLOR") != "" {
		return false
	}
	if getenv("FORCE_COLOR") != "" {
		return true
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
