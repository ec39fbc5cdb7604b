package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/plain"
)

// markdownLimit is the number of bytes after which a report for people on a web
// page is cut: GitHub refuses comments of more than 65,536 characters.
const markdownLimit = 60_000

// writeMarkdown writes for a pull request's comment or a job's summary: a line
// that says it all, then the findings to unfold, the worst first, so that they are
// there when the rest is cut off.
func writeMarkdown(w io.Writer, r Report, _ Options) error {
	var b strings.Builder
	s := r.Summary
	fmt.Fprintf(&b, "## Flux Remedy: %s, %s%s\n\n", count(s.Errors, "error"), count(s.Warnings, "warning"), problems(s.Problems))
	fmt.Fprintf(&b, "%s; %s%s.\n", r.counted(), count(s.Infos, "info"), waived(s.Waived)+notSelected(s.NotSelected))
	if left := unapplied(r.Unapplied); left != "" {
		b.WriteString("\n" + escape(left) + "\n")
	}
	if s.AsWritten {
		b.WriteString("\n" + asWritten + "\n")
	}
	b.WriteString(markdownList(remarks(r.Releases)))
	if hint := hint(r.unlisted); hint != "" {
		b.WriteString("\n" + hint + "\n")
	}
	var blocks []string
	for _, p := range r.Problems {
		blocks = append(blocks, fold("**"+p.Head()+"** "+code(place(p.File, p.Line, p.Column)), escape(p.Message)))
	}
	blocks = append(blocks, markdownPlan(r.Plan)...)
	for _, block := range widest(r.Findings) {
		blocks = append(blocks, markdownFinding(block))
	}
	for _, u := range folded(r.Undetermined) {
		blocks = append(blocks, fold("undetermined "+code(place(u.File, u.Line, 0)), escape(reasonOf(u))))
	}
	for _, n := range r.notices() {
		blocks = append(blocks, fold("notice "+code(place(n.file, n.line, 0)), escape(n.text)))
	}
	for i, block := range blocks {
		if b.Len()+len(block) > markdownLimit {
			fmt.Fprintf(&b, "\n%d more are not shown here.\n", len(blocks)-i)
			break
		}
		b.WriteString("\n" + block)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownFinding(block [][]Finding) string {
	group, all := block[0], slices.Concat(block...)
	f := group[0]
	body := escape(f.Message) + ".\n\n"
	if f.Excerpt != "" {
		body += "```yaml\n" + strings.ReplaceAll(strings.TrimSpace(f.Excerpt), "```", "` ` `") + "\n```\n\n"
	}
	if of := releases(group); of != "" {
		body += "- release " + escape(of) + "\n"
	}
	for _, of := range blocked(all) {
		body += "- blocks " + escape(of) + ": Flux applies nothing of it\n"
	}
	for _, p := range f.Provenance {
		body += fmt.Sprintf("- set by %s\n", escape(p.written()))
	}
	if f.Forecast != nil {
		body += fmt.Sprintf("- forecast %s: %s\n", escape(f.Forecast.Scenario), escape(f.Forecast.Outcome.String()))
	}
	const most = 50
	further := elsewhere(block)
	for _, p := range further[:min(most, len(further))] {
		body += fmt.Sprintf("- and %s, %s\n", code(p.File), escape(p.What))
	}
	if n := len(further) - most; n > 0 {
		body += fmt.Sprintf("- and %s\n", count(n, "more place"))
	}
	title := fmt.Sprintf("**%s** %s %s", f.Severity, code(f.Rule), code(place(f.File, f.Line, f.Column)))
	if title += " " + escape(f.Release.String()); len(all) > 1 && f.ofOne() {
		title += fmt.Sprintf(" and %d more", len(all)-1)
	}
	return fold(title, strings.TrimSuffix(body, "\n"))
}

// markdownList writes a list, after an empty line.
func markdownList(items []string) string {
	text := ""
	for _, item := range items {
		text += "\n- " + escape(item)
	}
	if text != "" {
		text = "\n" + text[1:] + "\n"
	}
	return text
}

// fold writes a block that is closed at first. The title is HTML for GitHub, so
// its marks are turned into tags.
func fold(title, body string) string {
	title = strings.Replace(strings.Replace(title, "**", "<b>", 1), "**", "</b>", 1)
	return "<details><summary>" + title + "</summary>\n\n" + body + "\n\n</details>\n"
}

// code writes text as it is, in HTML since a title is HTML.
func code(text string) string { return "<code>" + plain.MarkdownCode(text) + "</code>" }

// escape keeps text from being read as anything but text.
func escape(text string) string { return plain.Markdown(text) }
