package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// pageData is what the script of the page reads. It is compressed: what many releases share stands in
// it for each of them.
type pageData struct {
	Findings []pageFinding `json:"findings"`
	Releases []pageRelease `json:"releases"`
	// Ends are the scenario and the end of the timelines that are not drawn.
	Ends [][2]string `json:"ends"`
	// Blocks are what is found by place, the worst first.
	Blocks []pageBlock         `json:"blocks"`
	Rules  map[string]pageRule `json:"rules"`
}

type pageRelease struct {
	Release
	// ID is stable from run to run, for links; empty if it is CLUSTER/NAMESPACE/NAME.
	ID       string `json:"id,omitempty"`
	Findings []int  `json:"findings"`
	// Reasons say why something of the release is undetermined.
	Reasons []string `json:"reasons"`
}

// pageFinding is a finding, once for all of its clusters.
type pageFinding struct {
	Finding
	// Severity is that in each tier, instead of the worst.
	Severity map[release.Tier]rules.Severity `json:"severity"`
	Excerpt  string                          `json:"excerpt"`
	Caret    int                             `json:"caret"`
	// Timeline is the number of a drawing or, from their count on, of an end; -1 if none. It stands for the
	// forecast.
	Timeline int       `json:"timeline"`
	Forecast *struct{} `json:"forecast,omitempty"`
}

// timelines numbers forecasts, equal ones alike.
type timelines struct {
	all []forecast.Timeline
	at  map[string]int
}

// number returns that of a forecast; -1 of none.
func (t *timelines) number(line *forecast.Timeline) int {
	text, err := json.Marshal(line)
	if line == nil || err != nil {
		return -1
	}
	i, seen := t.at[string(text)]
	if !seen {
		i = len(t.all)
		t.at[string(text)], t.all = i, append(t.all, *line)
	}
	return i
}

// mostDrawn is how many timelines a page draws: those of blocks first, the worst before others.
// Of the others it says how they end. A fleet without two releases alike would make a page that
// no browser scrolls.
const mostDrawn = 30

// dataOf returns the data of the page and the timelines that it draws.
func dataOf(r Report, opts Options) (pageData, []forecast.Timeline) {
	lines := &timelines{at: map[string]int{}}
	data := pageData{Findings: []pageFinding{}, Releases: pageReleases(r), Ends: [][2]string{}}
	data.Blocks, data.Rules = pageBlocks(r.Findings, opts, lines), pageRules(r.Findings, opts)
	for _, f := range r.Findings {
		data.Findings = append(data.Findings, pageFinding{
			Finding: f, Severity: f.byTier(), Excerpt: f.Excerpt, Caret: f.Caret, Timeline: lines.number(f.Forecast),
		})
	}
	drawn := min(mostDrawn, len(lines.all))
	for _, line := range lines.all[drawn:] {
		data.Ends = append(data.Ends, [2]string{line.Scenario, opts.Drawings.brief(line)})
	}
	return data, lines.all[:drawn]
}

func pageReleases(r Report) []pageRelease {
	found, gaps := map[release.Name][]int{}, map[string][]release.Undetermined{}
	for i, f := range r.Findings {
		found[f.Release] = append(found[f.Release], i)
	}
	for _, u := range r.Undetermined {
		gaps[u.Release] = append(gaps[u.Release], u)
	}
	out, ids := []pageRelease{}, map[string]int{}
	for _, one := range r.Releases {
		p := pageRelease{Release: one, Findings: []int{}, Reasons: []string{}}
		for _, i := range found[one.Name] {
			if r.Findings[i].concerns(one) {
				p.Findings = append(p.Findings, i)
			}
		}
		for _, u := range gaps[one.String()] {
			if u.Cluster == "" || u.Cluster == one.Cluster {
				p.Reasons = append(p.Reasons, u.Reason)
			}
		}
		id := one.Cluster + "/" + one.Name.String()
		if ids[id]++; ids[id] > 1 {
			p.ID = fmt.Sprintf("%s~%d", id, ids[id])
		}
		out = append(out, p)
	}
	return out
}

// concerns reports whether a finding of a release's name is one of the release.
func (f Finding) concerns(r Release) bool {
	return slices.Contains(f.Tiers, r.Tier) && (len(f.Clusters) == 0 || slices.Contains(f.Clusters, r.Cluster))
}

// pageClasses from the best to the worst, as summaries show them.
var pageClasses = []rules.Class{rules.ClassRetry, rules.ClassBounded, rules.ClassViolating, rules.ClassUnknown}

// clusterRow counts what one cluster applies in one tier.
type clusterRow struct {
	Cluster  string
	Tier     release.Tier
	Releases int
	Classes  []document.Part[rules.Class]
	// Errors and Warnings are those of each release, so that a finding counts
	// in every cluster that it is in.
	Errors, Warnings int
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

func classCounts(releases []pageRelease) []document.Part[rules.Class] {
	by := map[rules.Class]int{}
	for _, r := range releases {
		by[r.Class]++
	}
	return document.Bar(pageClasses, by, len(releases))
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
		return cmp.Or(cmp.Compare(a.Severity.Rank(), b.Severity.Rank()),
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
	if severity.Rank() < row.Severity.Rank() {
		row.Severity = severity
	}
	if !seen[f.Rule] {
		row.Releases++
		seen[f.Rule] = true
	}
}
