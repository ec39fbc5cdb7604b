package report

import (
	"cmp"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// mostPlaces is how many places statistics list.
const mostPlaces = 20

// statistic counts the findings of one rule, or those in one place.
type statistic struct {
	name     string
	worst    rules.Severity
	findings int
	safe     int // those with a safe repair
	unsafe   int
	releases map[release.Name]bool
	across   map[any]bool // the places of a rule, or the rules of a place
}

// statistics counts what is found by rule and by place.
func (t *text) statistics(findings []Finding) {
	w := tabwriter.NewWriter(t, 0, 0, 2, ' ', 0)
	byRule := statisticsBy(findings, func(f Finding) (string, any) { return f.Rule, f.Cause() })
	writeStatistics(w, "PLACES\tRULE", byRule)
	fmt.Fprintln(w)
	byPlace := statisticsBy(findings, func(f Finding) (string, any) { return place(f.File, f.Line, 0), f.Rule })
	writeStatistics(w, "RULES\tPLACE", byPlace[:min(mostPlaces, len(byPlace))])
	if more := len(byPlace) - mostPlaces; more > 0 {
		fmt.Fprintf(w, "and %s\n", count(more, "more place"))
	}
	fmt.Fprintln(w)
	_ = w.Flush() // as of the writer below
}

func writeStatistics(w *tabwriter.Writer, columns string, rows []*statistic) {
	fmt.Fprintln(w, "WORST\tFINDINGS\tRELEASES\tREPAIRS\t"+columns)
	for _, row := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%s\n", row.worst, row.findings, len(row.releases), row.repairs(), len(row.across), row.name)
	}
}

// statisticsBy counts findings by a name, the worst and most first. Of names it counts what
// they are found across.
func statisticsBy(findings []Finding, of func(Finding) (name string, across any)) []*statistic {
	at := map[string]*statistic{}
	var out []*statistic
	for _, f := range findings {
		if f.Waived != nil {
			continue
		}
		name, across := of(f)
		row := at[name]
		if row == nil {
			row = &statistic{name: name, worst: f.Severity, releases: map[release.Name]bool{}, across: map[any]bool{}}
			at[name] = row
			out = append(out, row)
		}
		row.add(f, across)
	}
	slices.SortFunc(out, func(a, b *statistic) int {
		return cmp.Or(cmp.Compare(rank(a.worst), rank(b.worst)), cmp.Compare(b.findings, a.findings), cmp.Compare(a.name, b.name))
	})
	return out
}

func (t *statistic) add(f Finding, across any) {
	t.findings++
	t.across[across] = true
	if f.ofOne() {
		t.releases[f.Release] = true
	}
	if rank(f.Severity) < rank(t.worst) {
		t.worst = f.Severity
	}
	switch {
	case f.Fix != nil && f.Fix.Safe:
		t.safe++
	case f.Fix != nil:
		t.unsafe++
	}
}

// repairs says how many findings have a repair, of which kind.
func (t *statistic) repairs() string {
	switch {
	case t.safe+t.unsafe == 0:
		return "-"
	case t.unsafe == 0:
		return fmt.Sprintf("%d safe", t.safe)
	case t.safe == 0:
		return fmt.Sprintf("%d unsafe", t.unsafe)
	}
	return fmt.Sprintf("%d safe, %d unsafe", t.safe, t.unsafe)
}
