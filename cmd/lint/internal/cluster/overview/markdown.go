package overview

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// writeMarkdown writes the same as tables.
func writeMarkdown(w io.Writer, r Report) error {
	out := bufio.NewWriter(w)
	for i, line := range r.counts() {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, plain.Markdown(line))
	}
	if r.Readiness != nil {
		for _, line := range r.Readiness.lines() {
			fmt.Fprintln(out, plain.Markdown(line)+"  ")
		}
		return out.Flush()
	}
	for _, line := range slices.Concat(r.Changes.lines(), r.fights(), r.drift()) {
		fmt.Fprintln(out, "\n"+plain.Markdown(strings.TrimSpace(line)))
	}
	if len(r.Roots) > 0 {
		fmt.Fprintf(out, "\n| cause | holds up |\n|---|---|\n")
		for _, root := range r.Roots {
			row(out, root.String(), root.named())
		}
	}
	if len(r.Causes) > 0 {
		fmt.Fprintf(out, "\n| in common | releases |\n|---|---|\n")
		for _, c := range r.Causes {
			row(out, c.String(), c.named())
		}
	}
	if all := r.alone(); len(all) > 0 {
		fmt.Fprintf(out, "\n| release | tier | phase | state | since | failures | next |\n|---|---|---|---|---|---|---|\n")
		for _, one := range all {
			row(out, one.label(), string(one.Tier), string(one.Phase), one.State, one.Since, fmt.Sprint(one.Failures), strings.Join(one.ahead(), "; "))
		}
	}
	if groups := r.byRule(); len(groups) > 0 {
		fmt.Fprintf(out, "\n| severity | rule | releases |\n|---|---|---|\n")
		for _, g := range groups {
			row(out, string(g.Severity), g.Rule, g.Releases)
		}
	}
	if r.InForce.Digest != "" && len(r.Releases) > 0 {
		fmt.Fprintf(out, "\nJudged by %s\n", code(r.InForce.String()))
	}
	return out.Flush()
}

// row writes cells as code, so that nothing in them is markup.
func row(w io.Writer, cells ...string) {
	for _, cell := range cells {
		fmt.Fprintf(w, "| %s ", code(cell))
	}
	fmt.Fprintln(w, "|")
}

// code returns a text between as many backticks as it takes.
func code(text string) string {
	if text == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + " " + strings.ReplaceAll(text, "|", `\|`) + " " + fence
}
