package report

import (
	"cmp"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// mostPlaces is how many places statistics list.
const mostPlaces = 20

// statistic counts the findings of one rule, or those of one place to edit.
type statistic struct {
	name     string
	found    rules.Counts
	repairs  map[string]int // findings, by the kind of --fix
	releases map[release.Name]bool
	across   map[any]bool // the places of a rule, or the rules of a place
}

// statistics counts what is found by rule and by place, as the summary does.
func (t *text) statistics(findings []Finding) {
	byRule, byPlace := statistics{}, statistics{}
	for _, c := range causes(findings) {
		byRule.add(c.Rule, c.Rule, c.place(), cause{c.Cause, kept(c.findings, Finding.counts)})
		byPlace.add(c.place(), c.line(), c.Rule, c)
	}
	w := tabwriter.NewWriter(t, 0, 0, 2, ' ', 0)
	writeStatistics(w, "PLACES\tRULE", byRule.sorted())
	fmt.Fprintln(w)
	places := byPlace.sorted()
	shown := min(mostPlaces, len(places))
	if t.opts.All {
		shown = len(places)
	}
	writeStatistics(w, "RULES\tPLACE", places[:shown])
	if more := len(places) - shown; more > 0 {
		fmt.Fprintf(w, "and %s\n", words.Count(more, "more place"))
	}
	_ = w.Flush() // as of the writer below
}

func writeStatistics(w *tabwriter.Writer, columns string, rows []*statistic) {
	fmt.Fprintln(w, "ERRORS\tWARNINGS\tINFOS\tRELEASES\tREPAIRS\t"+columns)
	for _, row := range rows {
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t%s\t%d\t%s\n", row.found.Errors, row.found.Warnings, row.found.Infos, len(row.releases), row.repaired(), len(row.across), row.name)
	}
}

type statistics map[any]*statistic

func (s statistics) add(key any, name string, across any, c cause) {
	row := s[key]
	if row == nil {
		row = &statistic{name: name, repairs: map[string]int{}, releases: map[release.Name]bool{}, across: map[any]bool{}}
		s[key] = row
	}
	row.across[across] = true
	for _, f := range c.findings {
		row.found.Add(f.Severity, false)
		row.repairs[repairOf([]Finding{f})]++
		if f.ofOne() {
			row.releases[f.Release] = true
		}
	}
}

// sorted returns the rows, the worst and most first.
func (s statistics) sorted() []*statistic {
	var out []*statistic
	for _, row := range s {
		out = append(out, row)
	}
	slices.SortFunc(out, func(a, b *statistic) int {
		return cmp.Or(cmp.Compare(b.found.Errors, a.found.Errors), cmp.Compare(b.found.Warnings, a.found.Warnings),
			cmp.Compare(b.found.Infos, a.found.Infos), cmp.Compare(a.name, b.name),
			cmp.Compare(len(b.releases), len(a.releases)), cmp.Compare(len(b.across), len(a.across)), cmp.Compare(a.repaired(), b.repaired()))
	})
	return out
}

// repaired says how many findings have a repair, of which kind.
func (t *statistic) repaired() string {
	safe, unsafe := t.repairs["safe"], t.repairs["unsafe"]
	switch {
	case safe+unsafe == 0:
		return "-"
	case unsafe == 0:
		return fmt.Sprintf("%d safe", safe)
	case safe == 0:
		return fmt.Sprintf("%d unsafe", unsafe)
	}
	return fmt.Sprintf("%d safe, %d unsafe", safe, unsafe)
}
