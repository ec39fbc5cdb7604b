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

// Lines are a message for each line with findings, and for what could not be known or read, in this order. What is
// waived or accepted is left out.
func (r Report) Lines() []Line { return r.lines(Options{}) }

func (r Report) lines(opts Options) []Line {
	found := words.Of(groups(r.Findings), func(group []Finding) Line {
		f := group[0]
		return Line{f.File, f.Line, f.Column, fmt.Sprintf("%s %s", f.Severity, f.Rule), message(group), f.Severity, group}
	})
	return slices.Concat(found, undeterminedLines(folded(opts.listed(r.Undetermined)), "undetermined"), unappliedLines(opts.listed(r.Unapplied), "unapplied"), problemLines(r.Problems))
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

// writeCompact writes one line for each place of each message, for grep and for editors. What matches
// problems wants a line and a column of each: of what is of a whole file or a whole line, they are 1.
func writeCompact(w io.Writer, r Report, opts Options) error {
	out := bufio.NewWriter(w)
	for _, l := range r.lines(opts) {
		if l.File != "" {
			l.Line, l.Column = max(l.Line, 1), max(l.Column, 1)
		}
		fmt.Fprintf(out, "%s: %s: %s\n", l.at(), l.Head, l.Message)
	}
	return out.Flush()
}

// notices are about the run's own waivers and baseline, and no release.
func (r Report) notices() []Line {
	var notices []Line
	add := func(file string, line int, text string) {
		if text != "" {
			notices = append(notices, Line{file, line, 0, "notice", text, rules.Info, nil})
		}
	}
	for _, w := range r.Waivers {
		add(w.File, w.Line, w.notice())
	}
	for _, a := range r.Acceptances {
		add(a.File, a.Line, a.notice())
	}
	for _, u := range r.Unmatched {
		add(u.File, u.Line, fmt.Sprintf(`%s, "%s", matches nothing: %s`, u.Field, u.Glob, u.Why))
	}
	if r.Baseline != nil {
		for _, k := range r.Baseline.Stale {
			add(r.Baseline.From, 0, k.notice())
		}
		for _, text := range existing(r.Baseline.Existing) {
			add(r.Baseline.Existing[0].File, 0, "only the new policy reports this, and "+r.Baseline.From+" has it as well: "+text)
		}
		for _, u := range rooted(r.Baseline.Undetermined) {
			add(u.File, u.Line, "undetermined only since "+r.Baseline.From+": "+reasonOf(u))
		}
	}
	return notices
}
