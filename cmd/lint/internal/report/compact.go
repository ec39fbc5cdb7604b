package report

import (
	"bufio"
	"fmt"
	"io"
)

// writeCompact writes one line for each place of each message and for each thing that
// could not be known or read, for grep and for editors.
func writeCompact(w io.Writer, r Report, _ Options) error {
	out := bufio.NewWriter(w)
	for _, group := range groups(r.Findings) {
		f := group[0]
		fmt.Fprintf(out, "%s: %s %s: %s\n", place(f.File, f.Line, f.Column), f.Severity, f.Rule, told(group))
	}
	for _, u := range folded(r.Undetermined) {
		fmt.Fprintf(out, "%s: undetermined: %s\n", place(u.File, u.Line, 0), reasonOf(u))
	}
	for _, u := range unappliedPlaces(r.Unapplied) {
		fmt.Fprintf(out, "%s: unapplied: %s\n", place(u.File, u.Line, 0), u.Reason)
	}
	for _, p := range r.Problems {
		fmt.Fprintf(out, "%s: %s: %s\n", place(p.File, p.Line, p.Column), p.Head(), p.Message)
	}
	return out.Flush()
}
