package timeline

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// writeText writes for people: a line a step, and how it ends.
func writeText(w io.Writer, r Report, opts Options) error {
	t := &text{Writer: bufio.NewWriter(w), opts: opts}
	for i, g := range groups(r.Forecasts) {
		if i > 0 {
			t.linef("")
		}
		t.linef("%s", t.paint(bold, g.Title))
		for _, f := range g.Forecasts {
			t.forecast(f)
		}
	}
	t.undetermined(r.Undetermined)
	if opts.Brief && len(r.Forecasts) > 0 {
		t.linef("")
		t.linef("Each letter is an action: I install, U upgrade, R rollback, X uninstall, T test. --scenario NAME shows the steps.")
	}
	return t.Flush()
}

func (t *text) undetermined(all []Undetermined) {
	for _, u := range all {
		t.linef("%s: %s %s", heading(u.Release, u.Cluster), t.paint(yellow, "undetermined:"), u.Reason)
	}
}

type text struct {
	*bufio.Writer
	opts Options
}

func (t *text) forecast(f Forecast) {
	if t.opts.Brief {
		t.linef("  %-30s %s  %s", f.Scenario, t.end(f.Outcome), t.word(f.Timeline))
		return
	}
	t.linef("")
	t.linef("  %s  %s", t.paint(bold, f.Scenario), t.paint(dim, titleOf(f.Scenario)))
	for _, line := range t.steps(f.Timeline) {
		t.linef("  %s", line)
	}
	t.linef("  %9s  %s", when(f.Outcome), t.end(f.Outcome))
	t.linef("  %9s  %s", "", f.Outcome.Summary)
}

// steps gives a line for each step: time, symbol, action, revision, duration
// and what the controller makes of it.
func (t *text) steps(line forecast.Timeline) []string {
	var lines []string
	for _, s := range line.Steps {
		lines = append(lines, fmt.Sprintf("%9s  %s %-9s %4s %7s  %s", forecast.Readable(s.At.Duration), t.symbol(s.Result),
			s.Action, revision(s), forecast.Readable(s.Took.Duration), t.paint(dim, s.Note)))
	}
	if line.More > 0 {
		lines = append(lines, fmt.Sprintf("%9s  and so on, without end", t.ellipsis()))
	}
	return lines
}

func revision(s forecast.Step) string {
	if s.Revision == 0 {
		return "-"
	}
	return fmt.Sprintf("v%d", s.Revision)
}

// end tells the end in its colour.
func (t *text) end(o forecast.Outcome) string {
	if !t.opts.Brief {
		return t.paint(endColor(o), label(o))
	}
	text := string(o.End)
	if o.End != forecast.Ready {
		text += " " + o.Reason
	}
	return t.paint(endColor(o), fmt.Sprintf("%-29s", text))
}

func endColor(o forecast.Outcome) string {
	switch {
	case o.NeedsHuman:
		return red
	case o.End == forecast.Ready:
		return green
	}
	return yellow
}

// word writes the steps as letters with their results.
func (t *text) word(line forecast.Timeline) string {
	var words []string
	for _, s := range line.Steps {
		if letter := letters[s.Action]; letter != "" {
			words = append(words, letter+t.symbol(s.Result))
		}
	}
	if line.More > 0 {
		words = append(words, t.ellipsis())
	}
	return strings.Join(words, " ")
}

var letters = map[forecast.Action]string{
	forecast.Install: "I", forecast.Upgrade: "U", forecast.Rollback: "R", forecast.Uninstall: "X", forecast.Test: "T",
}

// symbols of results: in Unicode, in ASCII, and their colour.
var symbols = map[forecast.Result][3]string{
	forecast.OK:     {"✓", "+", green},
	forecast.Fail:   {"✗", "-", red},
	forecast.Killed: {"⚡", "!", yellow},
}

func (t *text) symbol(r forecast.Result) string {
	s := symbols[r]
	if t.opts.Unicode {
		return t.paint(s[2], s[0])
	}
	return t.paint(s[2], s[1])
}

func (t *text) ellipsis() string {
	if t.opts.Unicode {
		return "…"
	}
	return "..."
}

func (t *text) linef(format string, args ...any) {
	fmt.Fprintln(t, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

// The colours of terminals.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (t *text) paint(color, s string) string {
	if !t.opts.Color || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// fit cuts or pads a text without colours to a width in characters.
func fit(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n > width {
		return string([]rune(s)[:width])
	}
	return s + strings.Repeat(" ", width-n)
}
