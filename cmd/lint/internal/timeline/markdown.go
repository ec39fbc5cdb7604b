package timeline

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
)

// writeMarkdown writes for a pull request: for each scenario how it ends, and
// folded away its steps and a sketch of its states. Releases that do the same stand in it
// once.
func writeMarkdown(w io.Writer, r Report, opts Options) error {
	m := &markdown{text{Writer: bufio.NewWriter(w), opts: Options{Unicode: true}}}
	for _, g := range joined(groups(r.fates())) {
		m.linef("### %s\n", escape(g.like.Name()))
		if names := g.like.Names; len(names) > 1 {
			m.linef("<details><summary>%d releases that do the same</summary>\n", len(names))
			m.linef("%s\n\n</details>\n", escape(strings.Join(names, ", ")))
		}
		for _, f := range g.Fates {
			m.linef("**`%s`** %s: **%s**. %s.\n", f.Scenario, lowerFirst(titleOf(f.Scenario)), brief(f.Outcome), upperFirst(f.Outcome.Summary))
			m.revive(f.Revive)
			m.linef("<details><summary>Timeline</summary>\n")
			m.steps(f.Timeline)
			m.sketch(f.Timeline)
			m.linef("</details>\n")
		}
	}
	for _, u := range r.Undetermined {
		m.linef("- %s is undetermined: %s", escape(heading(u.Release, u.Cluster)), escape(u.Reason))
	}
	for _, remark := range r.Remarks {
		m.linef("- %s", escape(remark))
	}
	return m.Flush()
}

// joinedGroup is the forecasts of releases that do the same, by the first of them.
type joinedGroup struct {
	group
	like alike
}

// joined joins what is alike; what such releases are advised names none of them.
func joined(all []group) []joinedGroup {
	var lines distinct
	return words.Of(words.Alike[[]group](all, func(g group) string { return fmt.Sprint(lines.numbers(g)) }), func(of []group) joinedGroup {
		out := joinedGroup{of[0], alike{Names: words.Of(of, func(g group) string { return g.Title })}}
		for i, f := range out.Fates {
			if len(of) > 1 {
				out.Fates[i].Revive = unnamed(f.Revive, f.Release)
			}
		}
		return out
	})
}

// mostTables is how many groups of releases have a table: a comment on a pull request has an end.
const mostTables = 8

// compareMarkdown writes what changes, as tables.
func compareMarkdown(w io.Writer, all Comparisons, _ Options) error {
	m := &markdown{text{Writer: bufio.NewWriter(w), opts: Options{Unicode: true}}}
	s := sheetOfChanges(all)
	m.linef("%s.\n", s.Compared)
	for _, g := range s.Groups[:min(mostTables, len(s.Groups))] {
		m.changes(s, g)
	}
	if more := len(s.Groups) - mostTables; more > 0 {
		m.linef("%s of releases change in other ways: `-o html` and `-o json` have them.\n", words.Count(more, "more group"))
	}
	for _, u := range s.Undetermined {
		m.linef("- %s cannot be compared: %s", escape(heading(u.Release, u.Cluster)), escape(u.Reason))
	}
	for _, remark := range s.Remarks {
		m.linef("- %s", escape(remark))
	}
	return m.Flush()
}

// changes writes a table of what changes for releases that change alike.
func (m *markdown) changes(s sheet, g *alike) {
	m.linef("### %s\n", escape(g.listed(s.Cluster)))
	m.linef("| scenario | %s | %s |\n|---|---|---|", escape(s.Compared.Before), escape(s.Compared.After))
	for _, c := range g.Cards {
		m.linef("| `%s` | %s | %s |", c.Scenario, side(c.was(), full), side(c.now(), full))
	}
	m.linef("")
}

type markdown struct{ text }

// command marks what can be run as code.
func command(do string) string {
	if !forecast.Command(do) {
		return escape(do)
	}
	return "<code>" + plain.MarkdownCode(do) + "</code>"
}

// revive lists what a human can do.
func (m *markdown) revive(ways []forecast.Way) {
	if len(ways) == 0 {
		return
	}
	m.linef("%s:\n", upperFirst(revives))
	for _, r := range remedies(ways) {
		m.linef("- %s: %s", strings.Join(words.Of(r.Do, command), " or "), escape(r.Effect))
	}
	m.linef("")
}

func (m *markdown) steps(line forecast.Timeline) {
	m.linef("```text")
	m.deletes = "" // each timeline is folded
	for _, step := range m.text.steps(line) {
		m.linef("%s", step)
	}
	m.linef("%9s  %s", when(line.Outcome), brief(line.Outcome))
	m.linef("```\n")
}

// sketch draws the actions as states, and what leads from one to the next.
func (m *markdown) sketch(line forecast.Timeline) {
	m.linef("```mermaid\nstateDiagram-v2")
	drawn := map[string]bool{}
	draw := func(from, to, why string) {
		arrow := fmt.Sprintf("  %s --> %s", from, to)
		if why != "" {
			arrow += ": " + why
		}
		if !drawn[arrow] {
			drawn[arrow] = true
			m.linef("%s", arrow)
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
	m.linef("```\n")
}

// escape keeps text from being read as anything but text.
func escape(s string) string { return plain.Markdown(s) }

func lowerFirst(s string) string { return strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):] }

func upperFirst(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] }
