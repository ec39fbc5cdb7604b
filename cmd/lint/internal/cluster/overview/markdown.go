package overview

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// writeMarkdown writes the same as tables.
func writeMarkdown(w io.Writer, r Report) error {
	out := bufio.NewWriter(w)
	for i, line := range r.counts() {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, document.Escape(line))
	}
	if r.Readiness != nil {
		for _, line := range r.Readiness.lines() {
			fmt.Fprintln(out, document.Escape(line)+"  ")
		}
		return out.Flush()
	}
	for _, line := range slices.Concat(r.Changes.lines(), r.fights(), r.drift()) {
		fmt.Fprintln(out, "\n"+document.Escape(strings.TrimSpace(line)))
	}
	code := func(cells ...string) []string { return words.Of(cells, document.Code) } // nothing in it is markup
	out.WriteString(document.Table([]string{"cause", "holds up"}, r.Roots, func(root Root) []string { return code(root.String(), root.named()) }))
	out.WriteString(document.Table([]string{"in common", "releases"}, r.Causes, func(c Cause) []string { return code(c.String(), c.named()) }))
	out.WriteString(document.Table([]string{"release", "tier", "phase", "state", "since", "failures", "next"}, r.alone(), func(one Release) []string {
		return code(one.label(), string(one.Tier), string(one.Phase), one.State, one.Since, fmt.Sprint(one.Failures), strings.Join(one.ahead(), "; "))
	}))
	out.WriteString(document.Table([]string{"severity", "rule", "releases"}, r.byRule(), func(g group) []string { return code(string(g.Severity), g.Rule, g.Releases) }))
	if r.InForce.Digest != "" && len(r.Releases) > 0 {
		fmt.Fprintf(out, "\nJudged by %s\n", document.Code(r.InForce.String()))
	}
	return out.Flush()
}
