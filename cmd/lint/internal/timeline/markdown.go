package timeline

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
)

// writeMarkdown writes for a pull request: for each scenario how it ends, and
// folded away its steps and a sketch of its states. Releases that do the same stand in it
// once.
func writeMarkdown(w io.Writer, r Report, opts Options) error {
	m := &markdown{newText(w, Options{Unicode: true})}
	for _, g := range joined(groups(r.fates())) {
		m.Linef("### %s\n", document.Escape(g.like.Name()))
		if names := g.like.Names; len(names) > 1 {
			m.Linef("%s", document.Fold(fmt.Sprintf("%d releases that do the same", len(names)), document.Escape(strings.Join(names, ", "))))
		}
		for _, f := range g.Fates {
			m.Linef("**`%s`** %s: **%s**. %s.\n", f.Scenario, lowerFirst(titleOf(f.Scenario)), brief(f.Outcome), upperFirst(f.Outcome.Summary))
			m.revive(f.Revive)
			m.Linef("%s", document.Fold("Timeline", m.steps(f.Timeline)+"\n"+sketch(f.Timeline)))
		}
	}
	for _, u := range r.Undetermined {
		m.Linef("- %s is undetermined: %s", document.Escape(heading(u.Release, u.Cluster)), document.Escape(u.Reason))
	}
	for _, remark := range r.Remarks {
		m.Linef("- %s", document.Escape(remark))
	}
	return m.Flush()
}

// mostTables is how many groups of releases have a table: a comment on a pull request has an end.
const mostTables = 8

// compareMarkdown writes what changes, as tables.
func compareMarkdown(w io.Writer, all Comparisons, _ Options) error {
	m := &markdown{newText(w, Options{Unicode: true})}
	s := sheetOfChanges(all)
	m.Linef("%s.\n", s.Compared)
	for _, g := range s.Groups[:min(mostTables, len(s.Groups))] {
		m.changes(s, g)
	}
	if more := len(s.Groups) - mostTables; more > 0 {
		m.Linef("%s of releases change in other ways: `-o html` and `-o json` have them.\n", words.Count(more, "more group"))
	}
	for _, u := range s.Undetermined {
		m.Linef("- %s cannot be compared: %s", document.Escape(heading(u.Release, u.Cluster)), document.Escape(u.Reason))
	}
	for _, remark := range s.Remarks {
		m.Linef("- %s", document.Escape(remark))
	}
	return m.Flush()
}

// changes writes a table of what changes for releases that change alike.
func (m *markdown) changes(s sheet, g *alike) {
	m.Linef("### %s", document.Escape(g.listed(s.Cluster)))
	m.Linef("%s", document.Table([]string{"scenario", document.Escape(s.Compared.Before), document.Escape(s.Compared.After)}, g.Cards, func(c *card) []string {
		return []string{"`" + c.Scenario + "`", side(c.was(), full), side(c.now(), full)}
	}))
}

type markdown struct{ *text }

// command marks what can be run as code.
func command(do string) string {
	if !forecast.Command(do) {
		return document.Escape(do)
	}
	return document.Code(do)
}

// revive lists what a human can do.
func (m *markdown) revive(ways []forecast.Way) {
	if len(ways) == 0 {
		return
	}
	m.Linef("%s:\n", upperFirst(revives))
	for _, r := range remedies(ways) {
		m.Linef("- %s: %s", strings.Join(words.Of(r.Do, command), " or "), document.Escape(r.Effect))
	}
	m.Linef("")
}

func (m *markdown) steps(line forecast.Timeline) string {
	m.deletes = "" // each timeline is folded
	return document.Block("text", append(m.text.steps(line), fmt.Sprintf("%9s  %s", when(line.Outcome), brief(line.Outcome)))...)
}

// sketch draws the actions as states, and what leads from one to the next.
func sketch(line forecast.Timeline) string {
	lines := []string{"stateDiagram-v2"}
	draw := func(from, to, why string) {
		arrow := strings.TrimSuffix(fmt.Sprintf("  %s --> %s: %s", from, to, why), ": ")
		if !slices.Contains(lines, arrow) {
			lines = append(lines, arrow)
		}
	}
	from, why := "[*]", ""
	for _, s := range line.Steps {
		draw(from, string(s.Action), why)
		from, why = string(s.Action), string(s.Result)
	}
	end := string(line.Outcome.End)
	draw(from, end, why)
	if line.More == 0 {
		draw(end, "[*]", "")
	}
	return document.Block("mermaid", lines...)
}
