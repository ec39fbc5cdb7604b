package timeline

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/pkg/forecast"
)

// writeText writes for people: a line a step, and how it ends.
func writeText(w io.Writer, r Report, opts Options) error {
	t := newText(w, opts)
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
		t.Linef("")
		for _, line := range t.Wrap(remark, 0) {
			t.Linef("%s", t.Paint(document.Yellow, line))
		}
	}
}

// full writes all steps, once for all releases that behave alike.
func (t *text) full(r Report) {
	all, cluster := titled(r.fates())
	for i, g := range joined(all) {
		if i > 0 {
			t.Linef("")
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
		t.Linef("Each letter is an action: I install, U upgrade, R rollback, X uninstall, T test, C correction of drift; + is ok, - is failed, ! is killed.")
		t.Linef("--scenario NAME shows the steps, --release NAME one release.")
	}
	s := sheetOf(r)
	for _, g := range s.Groups {
		t.Linef("")
		t.title(g, s.Cluster)
		for _, c := range g.Cards {
			t.Linef("  %-30s %s  %s", c.Scenario, t.end(c.Outcome), t.word(c.Timeline))
		}
	}
}

// title names releases that behave alike.
func (t *text) title(g *alike, cluster string) {
	for _, line := range t.Wrap(g.listed(cluster), 0) {
		t.Linef("%s", t.Paint(document.Bold, line))
	}
}

func (t *text) undetermined(all []Unforeseen) {
	for _, u := range all {
		t.Linef("%s: %s %s", heading(u.Release, u.Cluster), t.Paint(document.Yellow, "undetermined:"), u.Reason)
	}
}

type text struct {
	*document.Text
	opts    Options
	deletes string // what an uninstall deletes, as it was last said in full
}

func (t *text) forecast(f Forecast) {
	t.Linef("")
	name := t.Paint(document.Bold, f.Scenario)
	for _, title := range t.Wrap(titleOf(f.Scenario), len(f.Scenario)+4) {
		t.Linef("  %s  %s", name, t.Paint(document.Dim, title))
		name = strings.Repeat(" ", len(f.Scenario))
	}
	for _, line := range t.steps(f.Timeline) {
		t.Linef("  %s", line)
	}
	t.Linef("  %9s  %s", when(f.Outcome), t.end(f.Outcome))
	for _, line := range t.Wrap(f.Outcome.Summary, 13) {
		t.Linef("%13s%s", "", line)
	}
	for _, text := range holdUp(f.HoldsUp) {
		for _, line := range t.Wrap(strings.TrimLeft(text, " "), 15) {
			t.Linef("%13s%s%s", "", text[:len(text)-len(strings.TrimLeft(text, " "))], line)
		}
	}
	t.revive(f.Revive)
}

// revive writes what a person can do.
func (t *text) revive(ways []forecast.Way) {
	if len(ways) > 0 {
		t.Linef("%13s%s:", "", revives)
	}
	for _, r := range remedies(ways) {
		for _, do := range r.Do {
			t.Linef("%15s%s", "", do)
		}
		for _, line := range t.Wrap(r.Effect, 17) {
			t.Linef("%17s%s", "", t.Paint(document.Dim, line))
		}
	}
}

func newText(w io.Writer, opts Options) *text {
	t := document.NewText(w, document.Screen{Width: opts.Width})
	t.Color = opts.Color
	return &text{Text: t, opts: opts}
}

// Lines returns the steps of a forecast and how it ends, a line each, as plain text.
func Lines(line forecast.Timeline) []string {
	t := newText(nil, Options{})
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
		for i, note := range t.Wrap(remarks[at], notes) {
			if i > 0 {
				start = strings.Repeat(" ", notes-2)
			}
			lines = append(lines, start+t.Paint(document.Dim, note))
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
		return t.Paint(endColor(o), label(o))
	}
	text := string(o.End)
	if o.End != forecast.Ready && o.End != forecast.Deleted {
		text += " " + o.Reason
	}
	return t.Paint(endColor(o), fmt.Sprintf("%-29s", text))
}

func endColor(o forecast.Outcome) string {
	switch {
	case o.NeedsHuman:
		return document.Red
	case o.End == forecast.Ready:
		return document.Green
	}
	return document.Yellow
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
	forecast.OK:     {"✓", "+", document.Green},
	forecast.Fail:   {"✗", "-", document.Red},
	forecast.Killed: {"⚡", "!", document.Yellow},
}

func (t *text) symbol(r forecast.Result) string {
	s := symbols[r]
	if t.opts.Unicode {
		return t.Paint(s[2], s[0])
	}
	return t.Paint(s[2], s[1])
}

func (t *text) ellipsis() string {
	if t.opts.Unicode {
		return "…"
	}
	return "..."
}

// fit cuts or pads a text without colours to a width in characters.
func fit(s string, width int) string {
	n := utf8.RuneCountInString(s)
	if n > width {
		return string([]rune(s)[:width])
	}
	return s + strings.Repeat(" ", width-n)
}
