package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// writeText writes for people: each finding as path:line:col: severity rule:
// message, with the line it points at and what set it; then what could not be
// determined, what could not be read, and a summary.
func writeText(w io.Writer, r Report, opts Options) error {
	t := &text{Writer: bufio.NewWriter(w), opts: opts}
	for _, group := range groups(r.Findings) {
		t.finding(group)
	}
	for _, u := range r.Undetermined {
		t.undetermined(u)
	}
	for _, p := range r.Problems {
		t.linef("%s: %s", place(p.File, p.Line, p.Column), t.paint(red, "cannot be read: ")+p.Message)
	}
	t.summary(r)
	return t.Flush()
}

type text struct {
	*bufio.Writer
	opts Options
}

// groups joins the findings that say the same of the same place, which a patch
// does to many releases at once.
func groups(findings []Finding) [][]Finding {
	type key struct {
		rule, message, file string
		line, column        int
		severity            rules.Severity
	}
	at := map[key]int{}
	var out [][]Finding
	for _, f := range findings {
		if f.Waived != nil {
			continue
		}
		k := key{f.Rule, f.Message, f.File, f.Line, f.Column, f.Severity}
		if i, seen := at[k]; seen {
			out[i] = append(out[i], f)
			continue
		}
		at[k] = len(out)
		out = append(out, []Finding{f})
	}
	return out
}

func (t *text) finding(group []Finding) {
	f := group[0]
	t.linef("%s: %s %s: %s", t.paint(bold, place(f.File, f.Line, f.Column)),
		t.paint(colors[f.Severity], string(f.Severity)), f.Rule, f.Message)
	t.source(f)
	t.linef("  %s %s", t.paint(dim, "release"), releases(group))
	for _, p := range f.Provenance {
		t.linef("  %s %s, %s", t.paint(dim, "set by"), p.What, place(p.File, p.Line, 0))
	}
	if f.Forecast != nil {
		t.linef("  %s %s: %s", t.paint(dim, "forecast"), f.Forecast.Scenario, f.Forecast.Outcome)
	}
	t.linef("")
}

// source shows the line that a finding points at, with a caret below.
func (t *text) source(f Finding) {
	if t.opts.Source == nil || f.Line == 0 {
		return
	}
	line, ok := t.opts.Source(f.File, f.Line)
	if !ok {
		return
	}
	number := fmt.Sprintf("%5d", f.Line)
	before := []rune(line)
	before = before[:min(max(f.Column-1, 0), len(before))]
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string(before))
	t.linef("%s %s", t.paint(dim, number+" |"), line)
	t.linef("%s %s%s", t.paint(dim, "      |"), indent, t.paint(colors[f.Severity], "^"+hint(f)))
}

func hint(f Finding) string {
	if f.Exact || f.Path == "" {
		return ""
	}
	return " " + f.Path + " is not written"
}

// releases names those of a group, with their tiers and clusters.
func releases(group []Finding) string {
	const most = 5
	var names []string
	for _, f := range group {
		names = append(names, f.Release.String())
	}
	slices.Sort(names)
	names = slices.Compact(names)
	shown := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		shown += fmt.Sprintf(" and %d more", len(names)-most)
	}
	var tiers []rules.Tier
	var clusters []string
	for _, f := range group {
		tiers, clusters = union(tiers, f.Tiers), union(clusters, f.Clusters)
	}
	where := make([]string, 0, len(tiers)+1)
	for _, tier := range tiers {
		where = append(where, string(tier))
	}
	if len(clusters) > 0 {
		where = append(where, plural(len(clusters), "cluster")+" "+strings.Join(clusters, ", "))
	}
	return shown + " (" + strings.Join(where, ", ") + ")"
}

// String gives namespace/name, or the name alone.
func (n Name) String() string {
	if n.Namespace == "" {
		return n.Name
	}
	return n.Namespace + "/" + n.Name
}

func (t *text) undetermined(u Undetermined) {
	of := ""
	if u.Release != "" {
		of = u.Release + ": "
	}
	if u.Cluster != "" {
		of += "cluster " + u.Cluster + ": "
	}
	t.linef("%s: %s %s%s", place(u.File, u.Line, 0), t.paint(yellow, "undetermined:"), of, u.Reason)
}

func (t *text) summary(r Report) {
	s := r.Summary
	t.linef("%s found, %d judged, %d undetermined: %s, %s, %s%s",
		count(s.Releases, "release"), s.Judged, s.Undetermined,
		t.paint(colorIf(s.Errors, red), count(s.Errors, "error")),
		t.paint(colorIf(s.Warnings, yellow), count(s.Warnings, "warning")),
		count(s.Infos, "info"), waived(s.Waived))
}

func waived(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d waived", n)
}

func (t *text) linef(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

func place(file string, line, column int) string {
	switch {
	case line == 0:
		return file
	case column == 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

func count(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun)) }

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// The colours of terminals.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	yellow = "33"
	blue   = "34"
)

var colors = map[rules.Severity]string{rules.Error: red, rules.Warning: yellow, rules.Info: blue}

func (t *text) paint(color, s string) string {
	if !t.opts.Color || color == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

func colorIf(n int, color string) string {
	if n == 0 {
		return ""
	}
	return color
}
