package timeline

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// writeText writes for people: a line a step, and how it ends.
func writeText(w io.Writer, r Report, opts Options) error {
	t := &text{Writer: bufio.NewWriter(w), opts: opts}
	if opts.Brief {
		t.briefs(r)
	} else {
		t.full(r)
	}
	t.undetermined(r.Undetermined)
	t.remarks(r.Remarks)
	return t.Flush()
}

func (t *text) remarks(all []string) {
	for _, remark := range all {
		t.linef("")
		for _, line := range t.wrap(remark, 0) {
			t.linef("%s", t.paint(yellow, line))
		}
	}
}

// full writes all steps, once for all releases that behave alike.
func (t *text) full(r Report) {
	all, cluster := titled(r.fates())
	for i, g := range joined(all) {
		if i > 0 {
			t.linef("")
		}
		t.title(&g.like, cluster)
		t.deletes = ""
		for _, f := range g.Fates {
			t.forecast(f.Forecast)
		}
	}
}

// briefs writes a line for each scenario, once for all releases that behave alike.
func (t *text) briefs(r Report) {
	if len(r.Forecasts) > 0 {
		t.linef("Each letter is an action: I install, U upgrade, R rollback, X uninstall, T test, C correction of drift; + is ok, - is failed, ! is killed.")
		t.linef("--scenario NAME shows the steps, --release NAME one release.")
	}
	s := sheetOf(r)
	for _, g := range s.Groups {
		t.linef("")
		t.title(g, s.Cluster)
		for _, c := range g.Cards {
			t.linef("  %-30s %s  %s", c.Scenario, t.end(c.Outcome), t.word(c.Timeline))
		}
	}
}

// title names releases that behave alike.
func (t *text) title(g *alike, cluster string) {
	for _, line := range t.wrap(g.listed(cluster), 0) {
		t.linef("%s", t.paint(bold, line))
	}
}

func (t *text) undetermined(all []Unforeseen) {
	for _, u := range all {
		t.linef("%s: %s %s", heading(u.Release, u.Cluster), t.paint(yellow, "undetermined:"), u.Reason)
	}
}

type text struct {
	*bufio.Writer
	opts    Options
	deletes string // what an uninstall deletes, as it was last said in full
}

func (t *text) forecast(f Forecast) {
	t.linef("")
	name := t.paint(bold, f.Scenario)
	for _, title := range t.wrap(titleOf(f.Scenario), len(f.Scenario)+4) {
		t.linef("  %s  %s", name, t.paint(dim, title))
		name = strings.Repeat(" ", len(f.Scenario))
	}
	for _, line := range t.steps(f.Timeline) {
		t.linef("  %s", line)
	}
	t.linef("  %9s  %s", when(f.Outcome), t.end(f.Outcome))
	for _, line := range t.wrap(f.Outcome.Summary, 13) {
		t.linef("%13s%s", "", line)
	}
	for _, text := range holdUp(f.HoldsUp) {
		for _, line := range t.wrap(strings.TrimLeft(text, " "), 15) {
			t.linef("%13s%s%s", "", text[:len(text)-len(strings.TrimLeft(text, " "))], line)
		}
	}
	t.revive(f.Revive)
}

// revive writes what a person can do.
func (t *text) revive(ways []forecast.Way) {
	if len(ways) > 0 {
		t.linef("%13s%s:", "", revives)
	}
	for _, r := range remedies(ways) {
		for _, do := range r.Do {
			t.linef("%15s%s", "", do)
		}
		for _, line := range t.wrap(r.Effect, 17) {
			t.linef("%17s%s", "", t.paint(dim, line))
		}
	}
}

// Lines returns the steps of a forecast and how it ends, a line each, as plain text.
func Lines(line forecast.Timeline) []string {
	t := &text{}
	return append(t.steps(line), fmt.Sprintf("%9s  %s", when(line.Outcome), label(line.Outcome)))
}

// notes is the column in which the notes of steps start.
const notes = 40

// steps returns a line for each step: time, symbol, action, revision, duration
// and what the controller makes of it.
func (t *text) steps(line forecast.Timeline) []string {
	var lines []string
	remarks := line.Notes(t.deletes)
	for at, s := range line.Steps {
		t.deletes = cmp.Or(s.Deletes, t.deletes)
		start := fmt.Sprintf("%9s  %s %-9s %4s %7s  ", forecast.Readable(s.At.Duration), t.symbol(s.Result),
			s.Action, revision(s), forecast.Readable(s.Took.Duration))
		for i, note := range t.wrap(remarks[at], notes) {
			if i > 0 {
				start = strings.Repeat(" ", notes-2)
			}
			lines = append(lines, start+t.paint(dim, note))
		}
	}
	if line.More > 0 {
		lines = append(lines, fmt.Sprintf("%9s  and so on, forever", t.ellipsis()))
	}
	return lines
}

func revision(s forecast.Step) string {
	if s.Revision == 0 {
		return "-"
	}
	return fmt.Sprintf("v%d", s.Revision)
}

// end names the end in its colour.
func (t *text) end(o forecast.Outcome) string {
	if !t.opts.Brief {
		return t.paint(endColor(o), label(o))
	}
	text := string(o.End)
	if o.End != forecast.Ready && o.End != forecast.Deleted {
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
	forecast.Correct: "C",
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

// wrap breaks a text that starts in a column where the terminal ends. It is at
// least one line, and is left alone where too little room remains.
func (t *text) wrap(s string, column int) []string {
	room := t.opts.Width - column
	if room < 20 {
		return []string{s}
	}
	lines := []string{""}
	for word := range strings.SplitSeq(s, " ") {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(word) <= room:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// fit cuts or pads a text without colours to a width in characters.
func fit(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n > width {
		return string([]rune(s)[:width])
	}
	return s + strings.Repeat(" ", width-n)
}
