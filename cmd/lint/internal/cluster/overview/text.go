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
	all := textsOf(r)
	text := all.whole()
	if on.Height > 0 && on.Rows(text) > on.Room() {
		text = on.fit(all)
	}
	out.WriteString(text)
	return out.Flush()
}

func textsOf(r Report) texts {
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

// screen is the terminal that shows the text; its height is zero if there is none.
type screen struct{ document.Screen }

// fit returns what the screen has room for: the worst releases in full, more of them in a line
// each, some findings and drift, and the counts.
func (s screen) fit(t texts) string {
	counts := append(s.most(t.clusters, s.Room()/3, "cluster"), append(t.counts, "shortened; --all shows everything\n")...)
	room := s.Room() - s.Rows(counts...)
	changes := s.most(t.changes, max(room/6, 1), "line")
	causes := s.causes(t.causes, room/3)
	room -= s.Rows(changes...) + s.Rows(causes...)
	for _, part := range [][]string{changes, causes, t.drift, t.rules, lines(t.releases)} {
		room -= min(len(part), 1) // the empty line below it
	}
	drift, rules := min(len(t.drift), max(room/6, 2)), min(len(t.rules), max(room/6, 2))
	releases := s.releases(t.releases, room-drift-rules)
	room -= s.Rows(releases...)
	shown := s.most(t.rules, room-drift, "rule")
	return joined(changes, causes, releases, s.most(t.drift, room-len(shown), "line"), shown, counts)
}

// causes returns the first causes, as many as there is room for, and the number of the others.
func (s screen) causes(all []string, room int) []string {
	lines := words.Of(all, func(c string) string {
		line, _, _ := strings.Cut(c, "\n")
		return line + "\n"
	})
	if s.Rows(all...) <= room {
		return all
	}
	return s.most(lines, max(room, 2), "cause")
}

// releases returns the first releases in full, as many as leave a part of the room, the first in
// any case, then others in a line each.
func (s screen) releases(all []entry, room int) []string {
	var out []string
	for i, r := range all {
		named := min(len(all)-i-1, room/3)
		if i > 0 && s.Rows(r.full) > room-named {
			return append(out, s.most(lines(all[i:]), room, "release")...)
		}
		out, room = append(out, r.full), room-s.Rows(r.full)
	}
	return out
}

// most returns as many lines as there is room for, each cut to the width, and the number of the others.
func (s screen) most(all []string, room int, noun string) []string {
	if len(all) > room {
		shown := max(room-1, 0)
		left := len(all) - shown
		all = append(all[:shown:shown], fmt.Sprintf("and %d more %s\n", left, words.Plural(left, noun)))
	}
	return words.Of(all, func(line string) string { return s.Clip(line, 1) })
}
