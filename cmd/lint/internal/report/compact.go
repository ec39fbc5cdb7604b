package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// Lines are what is to be said of lines of files: what is found there, and what could not be
// known or read, in this order.
func (r Report) Lines() []Line {
	var out []Line
	for _, group := range groups(r.Findings) {
		f := group[0]
		out = append(out, Line{f.File, f.Line, f.Column, fmt.Sprintf("%s %s", f.Severity, f.Rule), told(group), f.Severity, group})
	}
	for _, u := range folded(r.Undetermined) {
		out = append(out, Line{u.File, u.Line, 0, "undetermined", reasonOf(u), rules.Warning, nil})
	}
	for _, u := range unappliedPlaces(r.Unapplied) {
		out = append(out, Line{u.File, u.Line, 0, "unapplied", u.Reason, rules.Info, nil})
	}
	for _, p := range r.Problems {
		out = append(out, Line{p.File, p.Line, p.Column, p.Head(), p.Message, rules.Error, nil})
	}
	return out
}

// Line is what is said of a line. Line and Column count from 1, columns in characters; 0
// is no certain one.
type Line struct {
	File         string
	Line, Column int
	Head         string // "error no-recovery", or "undetermined"
	Message      string
	Severity     rules.Severity
	// Findings are those that say it; none if it is no finding.
	Findings []Finding
}

// writeCompact writes one line for each place of each message and for each thing that
// could not be known or read, for grep and for editors.
func writeCompact(w io.Writer, r Report, _ Options) error {
	out := bufio.NewWriter(w)
	for _, m := range r.Lines() {
		fmt.Fprintf(out, "%s: %s: %s\n", place(m.File, m.Line, m.Column), m.Head, m.Message)
	}
	return out.Flush()
}
