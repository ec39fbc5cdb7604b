package overview

import (
	"fmt"
	"io"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// writeText writes a paragraph for each release that is not well, what is not as Git says, the
// findings by rule, then the counts. A screen gets as much of it as it has room for.
func writeText(w io.Writer, r Report, on document.Screen) error {
	t := document.NewText(w, on)
	entries := func(lines ...string) []document.Entry { return t.Entries("", lines...) }
	if r.Readiness != nil {
		t.Height = 0
		t.Sections(document.Section{Entries: entries(r.Readiness.lines()...)})
		return t.Flush()
	}
	var releases []document.Entry
	for _, one := range r.alone() {
		releases = append(releases, headed(t, fmt.Sprintf("%s (%s) is %s", one.label(), one.Tier, one.State), one.details()...))
	}
	causes := append(words.Of(r.Roots, func(root Root) document.Entry { return headed(t, root.String(), root.named()) }),
		words.Of(r.Causes, func(c Cause) document.Entry { return headed(t, c.String(), c.named()) })...)
	rules := words.Of(r.byRule(), func(g group) string { return fmt.Sprintf("%s: %s: %s", g.Severity, g.Rule, g.Releases) })
	clusters, judged := r.clusters(), ""
	if len(r.Releases) > 0 {
		judged = r.InForce.Judged()
	}
	t.Sections(
		document.Section{Entries: entries(r.Changes.lines()...), Noun: "line", Share: 6, Ended: true},
		document.Section{Entries: causes, Noun: "cause", Share: 3, Ended: true},
		document.Section{Entries: releases, Noun: "release", Ended: true},
		document.Section{Entries: entries(append(r.fights(), r.drift()...)...), Noun: "line", Share: 6, Ended: true},
		document.Section{Entries: entries(rules...), Noun: "rule", Share: 6, Ended: true},
		document.Section{Entries: entries(clusters...), Noun: "cluster", Share: 3},
		document.Section{Entries: entries(r.counts()[len(clusters):]...)},
		document.Section{Entries: entries(words.NotEmpty(judged)...), Spare: true},
	)
	return t.Flush()
}

// headed returns a line with others below it.
func headed(t *document.Text, head string, below ...string) document.Entry {
	indented := func(line string) string {
		return t.Drawn(func(t *document.Text) { t.Paragraph("  ", document.Span{Text: line}) })
	}
	e := t.Entries("", head)[0]
	e.Brief, e.Line = t.Clip(e.Full, 2), indented(head)
	for _, line := range below {
		line = indented(line)
		e.Full, e.Brief = e.Full+line, e.Brief+t.Clip(line, 2)
	}
	return e
}
