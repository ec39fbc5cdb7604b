package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// mostPatch is the length in bytes of a patch that a page shows: findings need room too.
const mostPatch = 20_000

// markdownPlan lists the repairs to unfold, and the patch.
func (o Options) markdownPlan(p *Plan) []string {
	if p == nil {
		return nil
	}
	var blocks []string
	for _, r := range p.Repairs {
		title := "**fixed** "
		if !p.Made {
			title = "**would be fixed** "
		}
		body := ""
		for _, of := range repairedLines(r.Repairs) {
			body += "- " + document.Escape(of) + "\n"
		}
		for _, of := range r.Also {
			body += "- changed too: " + document.Escape(of.What()) + "\n"
		}
		for _, e := range r.Edits {
			body += "- " + o.markdownPlace(e.File) + " " + document.Code(e.Field) + "\n"
		}
		if r.Scenario != "" {
			body += fmt.Sprintf("- scenario %s, before: %s; after: %s\n", document.Escape(r.Scenario), document.Escape(r.Before), document.Escape(r.After))
		}
		blocks = append(blocks, document.Fold(title+o.markdownPlace(r.Edits[0].File), body+"- "+document.Escape(p.Checked.String())))
	}
	if len(p.Comments) > 0 {
		body := ""
		for _, c := range p.Comments {
			body += "- " + document.Code(c.String()) + "\n"
		}
		blocks = append(blocks, document.Fold("comments that go", body))
	}
	if n := len(p.Patch); n > 0 && n <= mostPatch {
		blocks = append(blocks, document.Fold("the changes", document.Block("diff", strings.TrimSuffix(string(p.Patch), "\n"))))
	} else if n > 0 {
		blocks = append(blocks, document.Fold("the changes", "They are too many to show here: "+document.Escape("-o patch=FILE")+" writes them."))
	}
	for _, l := range p.Left {
		blocks = append(blocks, document.Fold("not fixed "+document.Code(place(l.File, l.Line, 0)), document.Escape(l.What()+": "+l.Reason)))
	}
	return blocks
}

// writePatch writes the plan as a patch with the message of a commit, for git apply and
// git am.
func writePatch(w io.Writer, r Report, _ Options) error {
	if r.Plan == nil || r.Plan.Patch == "" {
		return nil
	}
	var b strings.Builder
	b.WriteString("From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\nFrom: flux-remedy <flux-remedy@localhost>\n")
	fmt.Fprintf(&b, "Subject: [PATCH] Repair %s of HelmReleases\n\n", words.Count(r.Plan.Fixed, "finding"))
	for _, fix := range r.Plan.Repairs {
		for _, of := range repairedLines(fix.Repairs) {
			b.WriteString("* " + plain.Line(of) + "\n")
		}
		if fix.Scenario != "" {
			fmt.Fprintf(&b, "  Scenario %s: %s. Before: %s.\n", fix.Scenario, plain.Line(fix.After), plain.Line(fix.Before))
		}
	}
	for i, c := range r.Plan.Comments {
		if i == 0 {
			b.WriteString("\nComments that go:\n\n")
		}
		b.WriteString("* " + plain.Line(c.String()) + "\n")
	}
	fmt.Fprintf(&b, "\n%s\n---\n%s", r.Plan.Checked, r.Plan.Patch)
	_, err := io.WriteString(w, b.String())
	return err
}
