package report

import (
	"cmp"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// CountedCause is a cause with what it makes.
type CountedCause struct {
	Cause
	// Line and Column are those of its first finding.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Severity is the worst of its findings.
	Severity rules.Severity `json:"severity"`
	Findings int            `json:"findings"`
	// Releases counts names: one in several clusters once.
	Releases int `json:"releases"`
	// Repair is the kind of --fix that repairs all of them, safe or unsafe; absent if
	// none is known.
	Repair string `json:"repair,omitempty"`
}

// causes counts what is found by what makes it, the worst first, of these what concerns
// the most releases.
func (r Report) causes() []CountedCause {
	type key struct {
		Cause
		line int // of one that no field makes
	}
	at := map[key]int{}
	var grouped [][]Finding
	for _, f := range r.Findings {
		k := key{Cause: f.Cause()}
		if f.Field == "" {
			k.line = f.Line
		}
		i, seen := at[k]
		switch {
		case f.Waived != nil:
			continue
		case !seen:
			i = len(grouped)
			at[k] = i
			grouped = append(grouped, nil)
		}
		grouped[i] = append(grouped[i], f)
	}
	out := []CountedCause{}
	for _, group := range widestFirst(grouped, func(g []Finding) []Finding { return g }) {
		f := group[0] // findings are sorted: the worst
		out = append(out, CountedCause{
			Cause: f.Cause(), Line: f.Line, Column: f.Column, Severity: f.Severity,
			Findings: len(group), Releases: width(group), Repair: repairOf(group),
		})
	}
	return out
}

// repairOf returns the kind of --fix that repairs all findings.
func repairOf(group []Finding) string {
	kind := "safe"
	for _, f := range group {
		switch {
		case f.Fix == nil:
			return ""
		case !f.Fix.Safe:
			kind = "unsafe"
		}
	}
	return kind
}

// widestFirst orders what holds findings, each sorted: the worst first, of these what
// concerns the most releases.
func widestFirst[T any](all []T, of func(T) []Finding) []T {
	slices.SortStableFunc(all, func(a, b T) int {
		x, y := of(a), of(b)
		return cmp.Or(cmp.Compare(x[0].rank(), y[0].rank()), cmp.Compare(width(y), width(x)))
	})
	return all
}

// width counts the releases of findings.
func width(group []Finding) int {
	names := map[release.Name]bool{}
	for _, f := range group {
		if f.ofOne() {
			names[f.Release] = true
		}
	}
	return len(names)
}
