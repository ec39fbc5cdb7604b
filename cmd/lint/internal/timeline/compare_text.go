package timeline

import (
	"fmt"
	"io"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
)

// column is the width of one side of a comparison in a terminal.
const column = 46

// compareText writes for people what changes, once for all releases of which it does: a line a
// scenario, or the steps of both states side by side.
func compareText(w io.Writer, all Comparisons, opts Options) error {
	t := newText(w, opts)
	s := sheetOfChanges(all)
	for _, g := range s.Groups {
		if opts.Brief {
			t.brief(s, g)
			continue
		}
		for _, c := range g.Cards {
			t.sides(s, g, c)
		}
	}
	hint := ""
	if opts.Brief && len(s.Groups) > 0 {
		hint = "; --scenario NAME shows the steps"
	}
	t.Linef("%s%s", s.Compared, hint)
	for _, u := range s.Undetermined {
		t.Linef("%s cannot be compared: %s", heading(u.Release, u.Cluster), u.Reason)
	}
	t.remarks(s.Remarks)
	return t.Flush()
}

// String counts the changes.
func (c *compared) String() string {
	verb := "change"
	if c.Changed == 1 {
		verb = "changes"
	}
	return fmt.Sprintf("%s of %d %s", words.Count(c.Changed, "forecast"), c.All, verb)
}

// brief writes a line for each scenario.
func (t *text) brief(s sheet, g *alike) {
	t.title(g, s.Cluster)
	for _, c := range g.Cards {
		was, now := side(c.was(), brief), side(c.now(), brief)
		if was == now { // what runs differs, or whether a human is needed
			was, now = side(c.was(), full), side(c.now(), full)
		}
		color := document.Dim
		if line := c.now(); line != nil {
			color = endColor(line.Outcome)
		}
		t.Linef("  %-30s was %s", c.Scenario, was)
		t.Linef("  %-30s %s", "", t.Paint(color, "now "+now))
	}
	t.Linef("")
}

// side says how one state ends.
func side(line *forecast.Timeline, say func(forecast.Outcome) string) string {
	if line == nil {
		return "not there"
	}
	return say(line.Outcome)
}

// sides puts the timelines of a scenario side by side.
func (t *text) sides(s sheet, g *alike, c *card) {
	t.Linef("%s  %s", t.Paint(document.Bold, g.listed(s.Cluster)), c.Scenario)
	t.Linef("  %s | %s", t.Paint(document.Dim, fit(s.Compared.Before, column)), t.Paint(document.Dim, s.Compared.After))
	left, right := short(c.was()), short(c.now())
	for i := range max(len(left), len(right)) {
		t.Linef("  %s | %s", fit(at(left, i), column), at(right, i))
	}
	t.Linef("  %s", c.Change.Change)
	t.Linef("")
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// short returns a line a step without the notes, and the end.
func short(line *forecast.Timeline) []string {
	if line == nil {
		return []string{"          not there"}
	}
	var lines []string
	for _, s := range line.Steps {
		lines = append(lines, fmt.Sprintf("%8s  %-9s %-6s %s", forecast.Readable(s.At.Duration), s.Action, s.Result, revision(s)))
	}
	if line.More > 0 {
		lines = append(lines, "     ...  and so on, forever")
	}
	return append(lines, fmt.Sprintf("%8s  %s", when(line.Outcome), label(line.Outcome)))
}
