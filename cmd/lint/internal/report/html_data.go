package report

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// pageData is what the script of the page reads. What many releases share
// is there once and is referred to by its index.
type pageData struct {
	Texts    []string      `json:"texts"`
	Places   []Place       `json:"places"`
	Findings []pageFinding `json:"findings"`
	Releases []pageRelease `json:"releases"`
	// Blocks are what is found by place, the worst first.
	Blocks []pageBlock         `json:"blocks"`
	Rules  map[string]pageRule `json:"rules"`
}

// pageRelease is one release in one cluster.
type pageRelease struct {
	release.Name
	// ID is stable from run to run, for links.
	ID       string       `json:"id"`
	Cluster  string       `json:"cluster"`
	Tier     release.Tier `json:"tier"`
	TierFrom int          `json:"tierFrom"` // of Texts
	Class    rules.Class  `json:"class"`
	Place    int          `json:"place"` // of Places
	// Decided pairs the path of a setting, of Texts, with a place.
	Decided  [][2]int `json:"decided"`
	Findings []int    `json:"findings"`
	// Reasons are of Texts: why something of the release is undetermined.
	Reasons []int `json:"reasons"`
}

// pageFinding is a finding, once for all of its clusters.
type pageFinding struct {
	Rule     string                          `json:"rule"`
	Severity map[release.Tier]rules.Severity `json:"severity"`
	Message  int                             `json:"message"` // of Texts
	Path     int                             `json:"path"`    // of Texts
	Place    int                             `json:"place"`
	Column   int                             `json:"column"`
	Exact    bool                            `json:"exact"`
	// Source is the field as it is written, of Texts; -1 if it is not known. Caret
	// counts the characters before it.
	Source int   `json:"source"`
	Caret  int   `json:"caret"`
	SetBy  []int `json:"setBy"` // of Places
	// Timeline is the number of a drawing; -1 if none.
	Timeline int         `json:"timeline"`
	Fix      *rules.Fix  `json:"fix,omitempty"`
	Waived   *pageWaiver `json:"waived,omitempty"`
}

// pageWaiver is why a finding is accepted, until when and by whom.
type pageWaiver struct {
	Until  rules.Date `json:"until"`
	Reason string     `json:"reason"`
	Owner  string     `json:"owner"`
}

// table numbers values, equal ones alike.
type table[T comparable] struct {
	all []T
	at  map[T]int
}

func (t *table[T]) number(value T) int {
	i, seen := t.at[value]
	if !seen {
		if t.at == nil {
			t.at = map[T]int{}
		}
		i = len(t.all)
		t.at[value] = i
		t.all = append(t.all, value)
	}
	return i
}

// tables collect what is shared.
type tables struct {
	texts  table[string]
	places table[Place]
	lines  []forecast.Timeline
	line   map[string]int
}

// dataOf returns the data of the page and the timelines that it numbers.
func dataOf(r Report, opts Options) (pageData, []forecast.Timeline) {
	t := &tables{line: map[string]int{}}
	data := pageData{Findings: []pageFinding{}, Releases: []pageRelease{}}
	of := map[release.Name][]int{}
	for i, f := range r.Findings {
		data.Findings = append(data.Findings, t.finding(f, opts))
		of[f.Release] = append(of[f.Release], i)
	}
	reasons := map[string][]release.Undetermined{}
	for _, u := range r.Undetermined {
		reasons[u.Release] = append(reasons[u.Release], u)
	}
	ids := map[string]int{}
	for _, release := range r.Releases {
		p := t.release(release, reasons[release.String()])
		for _, i := range of[release.Name] {
			if r.Findings[i].concerns(release) {
				p.Findings = append(p.Findings, i)
			}
		}
		if ids[p.ID]++; ids[p.ID] > 1 {
			p.ID += fmt.Sprintf("~%d", ids[p.ID])
		}
		data.Releases = append(data.Releases, p)
	}
	data.Blocks, data.Rules = t.blocks(r.Findings, opts), pageRules(r.Findings, opts)
	data.Texts, data.Places = orEmpty(t.texts.all), orEmpty(t.places.all)
	return data, t.lines
}

// concerns reports whether a finding of a release's name is one of the release.
func (f Finding) concerns(r Release) bool {
	return slices.Contains(f.Tiers, r.Tier) && (len(f.Clusters) == 0 || slices.Contains(f.Clusters, r.Cluster))
}

func (t *tables) release(r Release, undetermined []release.Undetermined) pageRelease {
	p := pageRelease{
		Name: r.Name, ID: r.Cluster + "/" + r.Name.String(), Cluster: r.Cluster, Tier: r.Tier, Class: r.Class,
		TierFrom: t.texts.number(r.TierFrom), Place: t.places.number(Place{File: r.File, Line: r.Line}),
		Decided: [][2]int{}, Findings: []int{}, Reasons: []int{},
	}
	for _, path := range sortedKeys(r.DecidedBy) {
		p.Decided = append(p.Decided, [2]int{t.texts.number(path), t.places.number(r.DecidedBy[path])})
	}
	for _, u := range undetermined {
		if u.Cluster == "" || u.Cluster == r.Cluster {
			p.Reasons = append(p.Reasons, t.texts.number(u.Reason))
		}
	}
	return p
}

func (t *tables) finding(f Finding, opts Options) pageFinding {
	p := pageFinding{
		Rule: f.Rule, Severity: f.byTier(), Message: t.texts.number(f.Message), Path: t.texts.number(f.Path),
		Place: t.places.number(Place{File: f.File, Line: f.Line}), Column: f.Column, Exact: f.Exact,
		Source: t.source(f), Caret: f.Caret, Timeline: t.timeline(f.Forecast), SetBy: []int{}, Fix: f.Fix,
	}
	if f.Waived != nil {
		p.Waived = &pageWaiver{f.Waived.Until, f.Waived.Reason, f.Waived.Owner}
	}
	for _, place := range f.Provenance {
		p.SetBy = append(p.SetBy, t.places.number(place))
	}
	return p
}

func (t *tables) source(f Finding) int {
	if f.Excerpt == "" {
		return -1
	}
	return t.texts.number(f.Excerpt)
}

func (t *tables) timeline(line *forecast.Timeline) int {
	if line == nil {
		return -1
	}
	raw, err := json.Marshal(line)
	if err != nil {
		return -1
	}
	i, seen := t.line[string(raw)]
	if !seen {
		i = len(t.lines)
		t.line[string(raw)] = i
		t.lines = append(t.lines, *line)
	}
	return i
}
