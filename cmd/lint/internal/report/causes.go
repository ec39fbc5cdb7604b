package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// cause is what one edit makes go away: the findings of one rule with one place to edit.
type cause struct {
	Cause
	findings []Finding // the worst first
}

// first returns the finding that a cause is shown by: the worst.
func (c cause) first() Finding { return c.findings[0] }

// site returns the place of a patch that makes all of it go away; nil if that is where the
// field is decided.
func (c cause) site() *Site {
	if remedy := c.first().Remedy; remedy != nil {
		return remedy.Central
	}
	return nil
}

// place is what is edited, whatever the rule: a file, and a field or, if no field makes the cause,
// a line in it.
func (c cause) place() Cause {
	out := c.Cause
	out.Rule = ""
	if out.Field == "" {
		out.Field = c.at()
	}
	return out
}

// at returns the place to edit, as file:line:column.
func (c cause) at() string {
	if c.site() != nil {
		return c.line()
	}
	f := c.first()
	return place(f.File, f.Line, f.Column)
}

// line returns the place to edit, as file:line.
func (c cause) line() string {
	file, line := c.edit()
	return place(file, line, 0)
}

// edit returns the file and the line to edit.
func (c cause) edit() (file string, line int) {
	if site := c.site(); site != nil {
		return site.File, site.Line
	}
	return c.first().File, c.first().Line
}

// counts reports whether a finding counts here, and not at another place to edit.
func (f Finding) counts() bool { return !f.again }

// CountedCause is a cause with what it makes. Its File and Field are the place to edit.
type CountedCause struct {
	Cause
	// Line and Column are those of its first finding, or of the patch to write.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Severity is the worst of its findings.
	Severity rules.Severity `json:"severity"`
	Findings int            `json:"findings"`
	// Releases counts names: one in several clusters once.
	Releases int `json:"releases"`
	// Repair is the kind of --fix that repairs all of them, safe or unsafe; absent if
	// none is known. Whether a release objects is found out when --fix tries it.
	Repair string `json:"repair,omitempty"`
	// Help is the YAML to write there, by line, for all fields; absent if it is not known.
	Help []string `json:"help,omitempty"`
	// Remove are the fields to remove; absent if there are none.
	Remove []string `json:"remove,omitempty"`
	// Unset are the places of releases that do not set the field, where one patch for all
	// of them is proposed; absent elsewhere.
	Unset []Place `json:"unset,omitempty"`
}

// causes groups the findings that nothing waives by the place to edit (one of several clusters may
// have a place in each of them), the worst first, of
// these what holds up the most, and then what concerns the most releases.
func causes(findings []Finding) []cause {
	type key struct {
		Cause
		line int // of one that no field makes
	}
	var open []Finding
	for _, f := range findings {
		if f.Waived != nil {
			continue
		}
		for i, remedy := range f.Remedy.each() {
			f.Remedy, f.again = remedy, i > 0
			open = append(open, f)
		}
	}
	var out []cause
	for _, of := range words.Alike[[]Finding](open, func(f Finding) key {
		k := key{Cause: f.edited()}
		if k.Field == "" {
			k.line = f.Line
		}
		return k
	}) {
		out = append(out, cause{of[0].edited(), of})
	}
	return widestFirst(out, func(c cause) []Finding { return c.findings })
}

func (c cause) counted() CountedCause {
	f := c.first()
	out := CountedCause{
		Cause: c.Cause, Line: f.Line, Column: f.Column, Severity: f.Severity,
		Findings: len(c.findings), Releases: width(c.findings), Repair: repairOf(c.findings),
	}
	out.Help, out.Remove = c.writes()
	if site := c.site(); site != nil {
		out.Line, out.Column, out.Help, out.Remove, out.Unset = site.Line, 0, site.Lines, nil, c.decided()
	}
	return out
}

// writes returns the YAML that repairs all fields of a cause, and the fields to remove.
func (c cause) writes() (set, remove []string) {
	for _, of := range byField([]cause{c}) {
		if remedy := of.first().Remedy; remedy != nil {
			set = append(set, remedy.Lines...)
			remove = union(remove, remedy.Remove)
		}
	}
	return mergeYAML(set), remove
}

// decided returns the places that decide the findings of a cause, each once.
func (c cause) decided() []Place {
	return words.Distinct(words.Of(c.findings, func(f Finding) Place { return Place{File: f.File, Line: f.Line} }))
}

// repairOf returns the kind of --fix that repairs all findings.
func repairOf(group []Finding) string {
	kind := "safe"
	for _, f := range group {
		switch {
		case f.Fix == nil || f.Remedy != nil && f.Remedy.Kind == "" || f.Fix.OnlySelected:
			return ""
		case !f.Fix.Safe || f.Remedy != nil && f.Remedy.Kind == "unsafe":
			kind = "unsafe"
		}
	}
	return kind
}

// widestFirst orders what holds findings, each sorted: the worst first, of these what
// holds up the most, and then what concerns the most releases.
func widestFirst[T any](all []T, of func(T) []Finding) []T {
	type ranked struct {
		one               T
		rank, held, width int
	}
	list := make([]ranked, len(all))
	for i, one := range all {
		findings := of(one)
		list[i] = ranked{one, findings[0].rank(), heaviest(findings), width(findings)}
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.held, a.held), cmp.Compare(b.width, a.width))
	})
	for i, r := range list {
		all[i] = r.one
	}
	return all
}

func width(group []Finding) int {
	if len(group) == 1 && group[0].ofOne() {
		return 1
	}
	names := map[release.Name]bool{}
	for _, f := range group {
		if f.ofOne() {
			names[f.Release] = true
		}
	}
	return len(names)
}

// edited returns the place to edit so that a finding goes away, as a cause.
func (f Finding) edited() Cause {
	if f.Remedy == nil || f.Remedy.Central == nil {
		return f.Cause()
	}
	at := f.Remedy.Central
	return Cause{f.Rule, at.File, at.What}
}

// mergeYAML joins the lines of nested maps: each key stands once, with the first value.
func mergeYAML(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	var keys []string
	head, below := map[string]string{}, map[string][]string{}
	at := indentOf(lines[0])
	for _, line := range lines {
		key, _, _ := strings.Cut(line, ":")
		if indentOf(line) > at {
			key = keys[len(keys)-1]
			below[key] = append(below[key], line)
			continue
		}
		if _, seen := head[key]; !seen {
			head[key] = line
		}
		keys = append(keys, key)
	}
	var out []string
	for i, key := range keys {
		if slices.Index(keys, key) == i {
			out = append(append(out, head[key]), mergeYAML(below[key])...)
		}
	}
	return out
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// byField divides causes by the field that is at fault: one value may decide several, as a
// variable does, and each has its own repair. Those that one patch repairs are one.
func byField(all []cause) []cause {
	var out []cause
	for _, c := range all {
		for _, of := range words.Alike[[]Finding](c.findings, Finding.repairedAt) {
			out = append(out, cause{c.Cause, of})
		}
	}
	return out
}

// repairedAt returns the field that is repaired, or the patch that sets it for many releases.
func (f Finding) repairedAt() string {
	if f.Remedy != nil && f.Remedy.Central != nil {
		return fmt.Sprint(f.Remedy.Central.Lines)
	}
	return f.Path
}

// heaviest returns the most of what findings hold up.
func heaviest(findings []Finding) int {
	most := 0
	for _, f := range findings {
		most = max(most, f.HoldsUp.weight())
	}
	return most
}
