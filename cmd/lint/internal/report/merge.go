package report

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// merge joins findings that are equal, with the same fix and forecast, but for the
// cluster, the tier and the severity that follows from the tier; the worst severity
// counts.
func merge(findings []Finding) []Finding {
	type key struct {
		rule, message, path, file string
		release                   release.Name
		line, column              int
		waived                    bool
	}
	type place struct{ merged, first int } // the first one of findings
	at := make(map[key][]place, len(findings))
	merged := make([]Finding, 0, len(findings))
	for n, f := range findings {
		k := key{f.Rule, f.Message, f.Path, f.File, f.Release, f.Line, f.Column, f.Waived != nil}
		equal := slices.IndexFunc(at[k], func(p place) bool { return findings[p.first].consequences() == f.consequences() })
		if equal < 0 {
			at[k] = append(at[k], place{len(merged), n})
			merged = append(merged, f)
			continue
		}
		i := at[k][equal].merged
		merged[i] = join(merged[i], f)
	}
	slices.SortFunc(merged, compareFindings)
	return merged
}

// consequences returns the fix and how the forecast ends, as text that is the same for
// equal ones only.
func (f Finding) consequences() string {
	of := []any{f.Fix, nil}
	if f.Forecast != nil {
		of[1] = f.Forecast.Outcome
	}
	text, _ := json.Marshal(of) // made of plain values
	return string(text)
}

func join(a, b Finding) Finding {
	a.Tiers, a.ByTier = union(a.Tiers, b.Tiers), a.byTier()
	maps.Copy(a.ByTier, b.byTier())
	a.Clusters = union(a.Clusters, b.Clusters)
	a.Blocks = slices.Concat(a.Blocks, b.Blocks)
	if len(a.Clusters) > 0 {
		a.Cluster = a.Clusters[0]
	}
	if b.Severity.AtLeast(a.Severity) {
		a.Severity = b.Severity
	}
	a.Degree, a.ShownDegree = max(a.Degree, b.Degree), max(a.ShownDegree, b.ShownDegree)
	if b.Was == "" {
		a.Was = "" // new somewhere is new
	}
	return a
}

// byTier returns the severity in each tier, as a map of its own.
func (f Finding) byTier() map[release.Tier]rules.Severity {
	all := map[release.Tier]rules.Severity{}
	for _, tier := range f.Tiers {
		all[tier] = f.Severity
	}
	maps.Copy(all, f.ByTier)
	return all
}

func (f *Finding) severityIn(tier release.Tier) (severity rules.Severity, has bool) {
	if severity, has = f.ByTier[tier]; has {
		return severity, true
	}
	return f.Severity, slices.Contains(f.Tiers, tier)
}

// rank is smaller for what is to be read first.
func (f Finding) rank() int {
	if f.Waived != nil {
		return len(rules.Severities)
	}
	return rank(f.Severity)
}

// rank is smaller for what is worse.
func rank(s rules.Severity) int { return slices.Index(rules.Severities, s) }

func union[T cmp.Ordered](a, b []T) []T {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// compareFindings orders findings: the worst first and the waived last, then by place.
func compareFindings(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.rank(), b.rank()),
		cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Release.Namespace, b.Release.Namespace),
		cmp.Compare(a.Release.Name, b.Release.Name), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Cluster, b.Cluster))
}
