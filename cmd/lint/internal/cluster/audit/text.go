package audit

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// texts are a report as text, by part. Each text is whole lines.
type texts struct {
	changes  []string
	causes   []string
	releases []entry
	drift    []string
	rules    []string
	clusters []string
	counts   []string
	judged   []string // what the report is judged by, which small screens leave out
}

// entry is a release that is not well, in several lengths.
type entry struct{ full, line string }

// writeText writes a paragraph for each release that is not well, what is not as Git says, the
// findings by rule, then the counts. A screen gets as much of it as it has room for.
func writeText(w io.Writer, r Report, on screen) error {
	out := bufio.NewWriter(w)
	if r.Readiness != nil {
		for _, line := range r.Readiness.lines() {
			fmt.Fprintln(out, line)
		}
		return out.Flush()
	}
	all := r.texts()
	text := all.whole()
	if on.height > 0 && on.rows(text) > on.room() {
		text = on.fit(all)
	}
	out.WriteString(text)
	return out.Flush()
}

func (r Report) texts() texts {
	t := texts{changes: ended(r.Changes.lines()), drift: ended(append(r.fights(), r.drift()...)), clusters: ended(r.clusters())}
	t.counts = ended(r.counts()[len(t.clusters):])
	t.causes = slices.Concat(words.Of(r.Roots, Root.lines), words.Of(r.Causes, Cause.lines))
	for _, one := range r.alone() {
		line := fmt.Sprintf("%s (%s) is %s\n", one.label(), one.Tier, one.State)
		full := line
		for _, detail := range one.details() {
			full += "  " + detail + "\n"
		}
		t.releases = append(t.releases, entry{full, line})
	}
	t.rules = words.Of(r.byRule(), func(g group) string { return fmt.Sprintf("%s: %s: %s\n", g.Severity, g.Rule, g.Releases) })
	if by := r.InForce.Judged(); by != "" && len(r.Releases) > 0 {
		t.judged = ended([]string{by})
	}
	return t
}

func (t texts) whole() string {
	all := words.Of(t.releases, func(r entry) string { return r.full })
	return joined(t.changes, t.causes, all, t.drift, t.rules, slices.Concat(t.clusters, t.counts, t.judged))
}

// joined returns parts with an empty line between them.
func joined(parts ...[]string) string {
	var out []string
	for _, part := range parts {
		if len(part) > 0 {
			out = append(out, strings.Join(part, ""))
		}
	}
	return strings.Join(out, "\n")
}

// lines returns releases in a line each.
func lines(all []entry) []string {
	return words.Of(all, func(r entry) string { return r.line })
}

// ended returns lines with their ends.
func ended(all []string) []string {
	return words.Of(all, func(line string) string { return line + "\n" })
}
