package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// markdownLimit is the number of bytes after which a report for people on a web
// page is cut: GitHub refuses comments of more than 65,536 characters.
const markdownLimit = 60_000

// writeMarkdown writes for a pull request's comment or a job's summary: a line
// that says it all, then the findings to unfold, the worst first, so that they are
// there when the rest is cut off.
func writeMarkdown(w io.Writer, r Report, opts Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## Flux Remedy: %s\n", r.found())
	b.WriteString(markdownList(r.summary()[1:]))
	parts := slices.Concat(markdownLines(problemLines(r.Problems)), markdownPlan(r.Plan), words.Of(blocks(r.Findings), opts.markdownBlock),
		markdownLines(undeterminedLines(folded(r.Undetermined), "undetermined")), markdownLines(r.notices()))
	for i, part := range parts {
		if b.Len()+len(part) > markdownLimit {
			fmt.Fprintf(&b, "\n%d more are not shown here.\n", len(parts)-i)
			break
		}
		b.WriteString("\n" + part)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownLines writes messages, to unfold.
func markdownLines(all []Line) []string {
	return words.Of(all, func(l Line) string {
		head := escape(l.Head)
		if l.Severity == rules.Error {
			head = "**" + head + "**"
		}
		return fold(head+" "+code(l.at()), escape(l.Message))
	})
}

// markdownBlock writes causes that say the same, to unfold.
func (o Options) markdownBlock(b block) string {
	f := b.first()
	var body strings.Builder
	if o.title(f) != f.Message {
		body.WriteString(escape(b.happens()) + ".\n\n")
	}
	if f.Excerpt != "" && b[0].site() == nil {
		body.WriteString(yamlBlock([]string{strings.TrimSpace(f.Excerpt)}))
	}
	item := func(text string) { body.WriteString("- " + text + "\n") }
	if unset := missing(f); unset != "" && b[0].site() == nil {
		item(escape(strings.TrimSpace(unset)))
	}
	for _, by := range b.setBy() {
		item(escape(by))
	}
	for _, fact := range b.facts() {
		item(fact[0] + " " + escape(fact[1]))
	}
	if of := b.releases(mostListed); of != "" {
		item("releases: " + escape(of))
	}
	if places := b.places(mostListed, code); places != "" {
		item(b.elsewhereLabel() + ": " + places)
	}
	help, lines := o.help(b)
	item("help: " + escape(help))
	for _, note := range b.notes() {
		item(escape(note))
	}
	if len(lines) > 0 {
		body.WriteString("\n" + yamlBlock(lines))
	}
	title := fmt.Sprintf("**%s** %s %s %s", b.severities(), escape(o.title(f)), code(f.Rule), code(b[0].at()))
	if n := len(b) - 1; n > 0 {
		title += " and " + words.Count(n, "more place")
	}
	return fold(title, strings.TrimSuffix(body.String(), "\n"))
}

// mostListed is how many releases or places a page lists.
const mostListed = 10

func yamlBlock(lines []string) string {
	return "```yaml\n" + strings.ReplaceAll(strings.Join(lines, "\n"), "```", "` ` `") + "\n```\n\n"
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
