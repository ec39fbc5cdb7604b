package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// commentLimit is the number of characters that GitHub takes as a comment.
const commentLimit = 65_536

// writeDiffMarkdown writes the comment of a pull request: a line that says it all, what got
// better, what is new or worse with its repair, a table with a row for each kind of change,
// and the details to unfold. What does not fit is counted.
func writeDiffMarkdown(w io.Writer, d Diff, opts Options) error {
	groups := alike(d.Changes)
	b := newComment()
	b.add(fmt.Sprintf("## Flux Remedy: %s\n\nCompared with %s: %s.\n", d.verdict(), document.Code(d.Base), d.tally()))
	b.add(document.List(slices.Concat(words.NotEmpty(opts.Ends), passedOver(d.PassedOver()))))
	for _, block := range slices.Concat(d.markdownRepairs(opts), opts.markdownPolicy(d.Policy), d.markdownGained(opts)) {
		b.add(block)
	}
	if len(groups) > 0 {
		b.add("\n### Releases\n" + document.Head("releases", "change", "new or worse", "gone"))
	}
	for _, group := range groups {
		b.add(markdownRow(group))
	}
	if legend := d.legend(); legend != "" {
		b.add("\nClasses: " + legend + ".\n")
	}
	if len(d.Existing) > 0 {
		b.add("\n### Not new\n\n" + existingHead(document.Code(d.Base)) + ".\n\n" + document.List(words.Of(existing(d.Existing), document.Escape)))
	}
	asides := d.asides()
	for _, l := range opts.markdownLines(asides[:len(d.Problems)]) {
		b.add("\n" + l)
	}
	shown := d.shownByPlace()
	for _, group := range groups {
		if details := opts.markdownChange(group, shown); details != "" {
			b.add("\n" + details)
		}
	}
	for _, l := range asides[len(d.Problems):] {
		at := opts
		if l.Head == d.unreadBefore() {
			at.SourceURL = nil // it is of another commit
		}
		b.add("\n" + at.markdownLines([]Line{l})[0])
	}
	if what := d.notListed(); what != "" {
		b.add("\nNot listed here: " + what + ".\n")
	}
	b.add(document.List(slices.Concat(d.Remarks, words.NotEmpty(d.Policy.InForce.Judged()))))
	_, err := io.WriteString(w, b.end("diff"))
	return err
}

// markdownPolicy says what weakens the policy, then what else changes in it.
func (o Options) markdownPolicy(p Policy) []string {
	const most = 50
	var blocks []string
	if len(p.Changes)+len(p.Weakened) > 0 {
		blocks = append(blocks, "\n### Policy\n\n")
	}
	for _, f := range p.Weakened {
		blocks = append(blocks, fmt.Sprintf("- **%s** %s: %s. At %s.\n",
			f.Severity, document.Code(f.Rule), document.Escape(f.Message), o.markdownPlace(place(f.File, f.Line, f.Column))))
	}
	if hint := p.hint(); hint != "" {
		blocks = append(blocks, "\n"+hint+"\n")
	}
	var changes strings.Builder
	for _, c := range p.Changes[:min(most, len(p.Changes))] {
		changes.WriteString("- " + document.Escape(c.written()) + "\n")
	}
	if rest := len(p.Changes) - most; rest > 0 {
		changes.WriteString("- and " + words.Count(rest, "more change") + "\n")
	}
	if changes.Len() > 0 {
		blocks = append(blocks, "\n"+document.Fold(words.Count(len(p.Changes), "change")+" of the policy", changes.String()))
	}
	return blocks
}

// comment is Markdown that must not become too long. From the first block that
// has no place on, blocks are counted and left out.
type comment struct {
	strings.Builder
	left    int
	omitted int
}

func newComment() *comment { return &comment{left: commentLimit - 200} } // for what the end says

func (b *comment) add(block string) {
	size := utf8.RuneCountInString(block)
	if b.omitted > 0 || size > b.left {
		b.omitted++
		return
	}
	b.left -= size
	b.WriteString(block)
}

// end returns the comment, and says which command shows what is left out.
func (b *comment) end(command string) string {
	if b.omitted > 0 {
		fmt.Fprintf(b, "\n%s left out, for the limit of a comment. `flux-remedy %s` on the command line shows all.\n",
			words.Count(b.omitted, "more part"), command)
	}
	return b.String()
}

func markdownRow(group []Change) string {
	const most = 3
	var names []string
	for _, c := range group[:min(most, len(group))] {
		names = append(names, document.Escape(c.named()))
	}
	if len(group) > most {
		names = append(names, fmt.Sprintf("and %d more", len(group)-most))
	}
	c := group[0]
	return document.Row(strings.Join(names, "<br>"), document.Escape(c.headline()), ruleNames(c.Gained), ruleNames(slices.Concat(c.Lost, c.Eased)))
}

func ruleNames(findings []Finding) string {
	return strings.Join(words.Of(findings, func(f Finding) string {
		name := fmt.Sprintf("%s %s", f.Severity, document.Code(f.Rule))
		if f.Waived != nil {
			name += " (waived)"
		}
		return name
	}), "<br>")
}

// newness says what has become of a finding: "new error", "warning, now error".
func newness(f Finding) string {
	switch f.Was {
	case "":
		return "new " + string(f.Severity)
	case Unjudged:
		return string(f.Severity) + " that could not be judged before"
	}
	return was(f.Was, string(f.Severity))
}

// markdownChange writes the details of a change, without what is shown by place.
func (o Options) markdownChange(group []Change, shown map[ruleMessage]bool) string {
	c := group[0]
	var b strings.Builder
	if len(group) > 1 {
		fmt.Fprintf(&b, "%s: %s.\n\n", words.Count(len(group), "release"), document.Escape(namesOf(group)))
	}
	if c.Unknown != nil {
		fmt.Fprintf(&b, "- %s: %s\n", o.markdownPlace(place(c.Unknown.File, c.Unknown.Line, 0)), document.Escape(c.Unknown.Reason+accepted(*c.Unknown)))
	}
	for _, f := range c.Gained {
		if shown[ruleMessage{f.Rule, f.Message}] && f.Waived == nil && f.Was == "" {
			continue
		}
		places := words.First(words.Of(placesOf(group, f), func(p Place) string { return o.markdownPlace(p.File) + document.Escape(inBrackets(p.What)) }), some, "place")
		fmt.Fprintf(&b, "- **%s** %s: %s. At %s.\n", newness(f), document.Code(f.Rule), document.Escape(f.Message+acceptance(f)), places)
	}
	for _, f := range c.Remaining {
		fmt.Fprintf(&b, "- still **%s** %s, part of %s: %s\n", f.Severity, document.Code(f.Rule), document.Code(f.Was), document.Escape(f.Message))
	}
	for _, f := range c.Lost {
		fmt.Fprintf(&b, "- gone: %s %s%s\n", f.Severity, document.Code(f.Rule), document.Escape(acceptance(f)))
	}
	for _, f := range c.Eased {
		fmt.Fprintf(&b, "- milder: %s %s%s\n", f.Severity, before(f), document.Code(f.Rule))
	}
	full, rest := inFull(c.Forecasts)
	for _, f := range full {
		fmt.Fprintf(&b, "- %s\n  - was: %s\n  - now: %s\n", document.Code(f.Scenario), document.Escape(f.Before), document.Escape(f.After))
	}
	for _, line := range rest {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	if b.Len() == 0 {
		return "" // the row of the table has said it all
	}
	title := fmt.Sprintf("<b>%s</b>: %s", document.Escape(c.named()), document.Escape(c.headline()))
	if len(group) > 1 {
		title += fmt.Sprintf(", and %d more", len(group)-1)
	}
	return document.Fold(title, b.String())
}
