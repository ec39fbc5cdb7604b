package report

import (
	"cmp"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// pageClasses from the best to the worst, as summaries show them.
var pageClasses = []rules.Class{rules.ClassRetry, rules.ClassBounded, rules.ClassViolating, rules.ClassUnknown}

// clusterRow counts what one cluster applies in one tier.
type clusterRow struct {
	Cluster  string
	Tier     release.Tier
	Releases int
	Classes  []classCount
	// Errors and Warnings are those of each release, so that a finding counts
	// in every cluster that it is in.
	Errors, Warnings int
}

type classCount struct {
	Class rules.Class
	N     int
	// X and Width are its part of a bar 100 wide.
	X, Width float64
}

func clusterRows(data pageData) []clusterRow {
	type key struct {
		cluster string
		tier    release.Tier
	}
	rows := words.Of(words.Alike[[]pageRelease](data.Releases, func(r pageRelease) key { return key{r.Cluster, r.Tier} }), func(releases []pageRelease) clusterRow {
		return clusterRow{
			Cluster: releases[0].Cluster, Tier: releases[0].Tier, Releases: len(releases), Classes: classCounts(releases),
			Errors: data.found(releases, rules.Error), Warnings: data.found(releases, rules.Warning),
		}
	})
	slices.SortFunc(rows, func(a, b clusterRow) int {
		return cmp.Or(cmp.Compare(slices.Index(release.Tiers, a.Tier), slices.Index(release.Tiers, b.Tier)), cmp.Compare(a.Cluster, b.Cluster))
	})
	return rows
}

// found counts what is found of a severity, and not waived.
func (data pageData) found(releases []pageRelease, severity rules.Severity) int {
	n := 0
	for _, r := range releases {
		n += count(r.Findings, func(i int) bool { f := data.Findings[i]; return f.Waived == nil && f.Severity[r.Tier] == severity })
	}
	return n
}

func classCounts(releases []pageRelease) []classCount {
	counts := make([]classCount, len(pageClasses))
	x := 0.0
	for i, class := range pageClasses {
		n := count(releases, func(r pageRelease) bool { return r.Class == class })
		counts[i] = classCount{Class: class, N: n, X: x, Width: 100 * float64(n) / float64(len(releases))}
		x += counts[i].Width
	}
	return counts
}

type ruleRow struct {
	ID, Title string
	Severity  rules.Severity // the worst
	Releases  int
	Waived    int
}

func ruleRows(data pageData, opts Options) []ruleRow {
	rows := map[string]*ruleRow{}
	for _, r := range data.Releases {
		seen := map[string]bool{}
		for _, i := range r.Findings {
			f := data.Findings[i]
			row := rows[f.Rule]
			if row == nil {
				row = &ruleRow{ID: f.Rule, Severity: rules.Off}
				rows[f.Rule] = row
			}
			row.add(f, f.Severity[r.Tier], seen)
		}
	}
	out := []ruleRow{}
	for id, row := range rows {
		rule, _ := opts.rule(id)
		row.Title = rule.Title
		out = append(out, *row)
	}
	slices.SortFunc(out, func(a, b ruleRow) int {
		return cmp.Or(cmp.Compare(slices.Index(rules.Severities, a.Severity), slices.Index(rules.Severities, b.Severity)),
			cmp.Compare(b.Releases, a.Releases), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// add counts a finding; seen are the rules that the release has been counted for.
func (row *ruleRow) add(f pageFinding, severity rules.Severity, seen map[string]bool) {
	if f.Waived != nil {
		row.Waived++
		return
	}
	if slices.Index(rules.Severities, severity) < slices.Index(rules.Severities, row.Severity) {
		row.Severity = severity
	}
	if !seen[f.Rule] {
		row.Releases++
		seen[f.Rule] = true
	}
}
