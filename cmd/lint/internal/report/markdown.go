package report

import (
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// writeMarkdown writes for a pull request's comment or a job's summary: a line
// that says it all, then the findings to unfold, the worst first, so that they are
// there when the rest is cut off.
func writeMarkdown(w io.Writer, r Report, opts Options) error {
	b := newComment()
	b.add(fmt.Sprintf("## Flux Remedy: %s\n", r.found()) + document.List(slices.Concat(words.NotEmpty(opts.Ends), r.summary()[1:])))
	parts := slices.Concat(opts.markdownLines(problemLines(r.Problems)), opts.markdownPlan(r.Plan), words.Of(blocks(r.Findings), opts.markdownBlock),
		opts.markdownLines(undeterminedLines(folded(opts.listed(r.Undetermined)), "undetermined")), opts.markdownLines(r.notices()))
	for _, part := range parts {
		b.add("\n" + part)
	}
	_, err := io.WriteString(w, b.end("lint"))
	return err
}

// markdownLines writes messages, to unfold.
func (o Options) markdownLines(all []Line) []string {
	return words.Of(all, func(l Line) string {
		head := document.Escape(l.Head)
		if l.Severity == rules.Error {
			head = "**" + head + "**"
		}
		return document.Fold(head+" "+o.markdownPlace(l.at()), document.Escape(l.Message))
	})
}

// markdownBlock writes causes that say the same, to unfold.
func (o Options) markdownBlock(b block) string {
	f := b.first()
	var body strings.Builder
	if o.title(f) != f.Message {
		body.WriteString(document.Escape(b.happens()) + ".\n\n")
	}
	if f.Excerpt != "" && b.causes[0].site() == nil {
		body.WriteString(document.Block("yaml", strings.TrimSpace(f.Excerpt)) + "\n")
	}
	item := func(text string) { body.WriteString("- " + text + "\n") }
	if unset := missing(f); unset != "" && b.causes[0].site() == nil {
		item(document.Escape(strings.TrimSpace(unset)))
	}
	for _, by := range b.setBy() {
		item(document.Escape(by))
	}
	for _, fact := range b.facts() {
		item(fact[0] + " " + document.Escape(fact[1]))
	}
	if of := b.releases(mostListed); of != "" {
		item("releases: " + document.Escape(of))
	}
	if places := b.places(mostListed, o.markdownPlace); places != "" {
		item(b.elsewhereLabel() + ": " + places)
	}
	help, lines := o.help(b)
	item("help: " + document.Escape(help))
	for _, note := range b.notes() {
		item(document.Escape(note))
	}
	if len(lines) > 0 {
		body.WriteString("\n" + document.Block("yaml", lines...) + "\n")
	}
	title := fmt.Sprintf("**%s** %s %s %s", b.severities(), document.Escape(o.title(f)), document.Code(f.Rule), o.markdownPlace(b.causes[0].at()))
	if n := len(b.causes) - 1; n > 0 {
		title += " and " + words.Count(n, "more place")
	}
	return document.Fold(title, body.String())
}

// mostListed is how many releases or places a page lists.
const mostListed = 10

// markdownPlace writes a place, as FILE:LINE:COLUMN, and as a link if it has an address.
func (o Options) markdownPlace(at string) string {
	if o.SourceURL == nil {
		return document.Code(at)
	}
	parts := placeParts().FindStringSubmatch(at)
	line, _ := strconv.Atoi(parts[2])
	url := o.SourceURL(parts[1], line)
	if url == "" {
		return document.Code(at)
	}
	return `<a href="` + html.EscapeString(url) + `">` + document.Code(at) + "</a>"
}

var placeParts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^(.*?)(?::(\d+))?(?::\d+)?$`) })
