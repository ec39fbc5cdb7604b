package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Line is a message about a line of a file. Line and Column count from 1, columns in characters; 0 is no
// certain one.
type Line struct {
	File         string
	Line, Column int
	Head         string // "error no-recovery", or "undetermined"
	Message      string
	Severity     rules.Severity
	// Findings are those that the message is of; none if it is of no finding.
	Findings []Finding
}

func (l Line) at() string { return place(l.File, l.Line, l.Column) }

// Lines are a message for each line with findings, and for what could not be known or read, in this order.
func (r Report) Lines() []Line {
	found := words.Of(groups(r.Findings), func(group []Finding) Line {
		f := group[0]
		return Line{f.File, f.Line, f.Column, fmt.Sprintf("%s %s", f.Severity, f.Rule), message(group), f.Severity, group}
	})
	return slices.Concat(found, undeterminedLines(folded(r.Undetermined), "undetermined"), unappliedLines(r.Unapplied, "unapplied"), problemLines(r.Problems))
}

func problemLines(all []Problem) []Line {
	return words.Of(all, func(p Problem) Line { return Line{p.File, p.Line, p.Column, p.Head(), p.Message, rules.Error, nil} })
}

func undeterminedLines(all []release.Undetermined, head string) []Line {
	return words.Of(all, func(u release.Undetermined) Line {
		return Line{u.File, u.Line, 0, head, reasonOf(u), rules.Warning, nil}
	})
}

func unappliedLines(all []release.Undetermined, head string) []Line {
	return words.Of(unappliedPlaces(all), func(u release.Undetermined) Line { return Line{u.File, u.Line, 0, head, u.Reason, rules.Info, nil} })
}

// asides are the messages about what no change of a release shows: causes that others have now, what is not known or not
// applied any more, what cannot be read, and waivers that accept nothing any more.
func (d Diff) asides() []Line {
	inherited := words.Of(d.inherited(), func(group []Finding) Line {
		f := group[0]
		return Line{f.File, f.Line, f.Column, "known cause", knownCause(group) + " reaches " + reached(group), rules.Warning, nil}
	})
	before := problemLines(d.BaseProblems)
	for i := range before {
		before[i].Head, before[i].Severity = "could not be read in "+d.Base, rules.Warning
	}
	waivers := words.Of(d.Waivers, func(w Waiver) Line { return Line{w.File, w.Line, 0, "notice", w.notice(), rules.Warning, nil} })
	return slices.Concat(problemLines(d.Problems), inherited, undeterminedLines(rooted(d.unshown()), "newly undetermined"),
		before, waivers, unappliedLines(d.Unapplied, "unapplied now"))
}

// writeCompact writes one line for each place of each message, for grep and for editors.
func writeCompact(w io.Writer, r Report, _ Options) error {
	out := bufio.NewWriter(w)
	for _, l := range r.Lines() {
		fmt.Fprintf(out, "%s: %s: %s\n", l.at(), l.Head, l.Message)
	}
	return out.Flush()
}
