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
	Texts []string `json:"texts"`
	// Places are file, line and what is written there; file and what are of Texts.
	Places    [][3]int       `json:"places"`
	Kinds     []pageKind     `json:"kinds"`
	Findings  []pageFinding  `json:"findings"`
	Standings []pageStanding `json:"standings"`
	Releases  []pageRelease  `json:"releases"`
	// Ends are the scenario and how it ends, of Texts, of the timelines that are not drawn.
	Ends [][2]int `json:"ends"`
	// Blocks are what is found by place, the worst first.
	Blocks []pageBlock         `json:"blocks"`
	Rules  map[string]pageRule `json:"rules"`
}

// pageRelease is one release in one cluster.
type pageRelease struct {
	release.Name
	pageStanding `json:"-"`
	Standing     int `json:"standing"` // of Standings
	// ID is stable from run to run, for links; empty if it is CLUSTER/NAMESPACE/NAME.
	ID    string `json:"id,omitempty"`
	Place int    `json:"place"` // of Places
	// Decided pairs the path of a setting, of Texts, with a place.
	Decided  [][2]int `json:"decided,omitempty"`
	Findings []int    `json:"findings,omitempty"`
	// Reasons are of Texts: why something of the release is undetermined.
	Reasons []int `json:"reasons,omitempty"`
}

// pageStanding is what many releases have in common.
type pageStanding struct {
	Cluster  string       `json:"cluster"`
	Tier     release.Tier `json:"tier"`
	TierFrom int          `json:"tierFrom"` // of Texts
	Class    rules.Class  `json:"class"`
}

// pageFinding is a finding, once for all of its clusters.
type pageFinding struct {
	pageKind `json:"-"`
	Kind     int `json:"kind"`    // of Kinds
	Message  int `json:"message"` // of Texts
	Place    int `json:"place"`
	// Source is the field as it is written, of Texts; -1 if it is not known.
	Source int   `json:"source"`
	SetBy  []int `json:"setBy,omitempty"` // of Places
	// Timeline is the number of a drawing or, from their count on, of an end; -1 if none.
	Timeline int         `json:"timeline"`
	Waived   *pageWaiver `json:"waived,omitempty"`
}

// pageKind is what many findings have in common.
type pageKind struct {
	Rule     string                          `json:"rule"`
	Severity map[release.Tier]rules.Severity `json:"severity"`
	Path     int                             `json:"path"` // of Texts
	Column   int                             `json:"column"`
	Exact    bool                            `json:"exact"`
	// Caret counts the characters before the field.
	Caret int        `json:"caret"`
	Fix   *rules.Fix `json:"fix,omitempty"`
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
	texts     table[string]
	places    table[[3]int]
	standings table[pageStanding]
	kinds     likes[pageKind]
	lines     likes[forecast.Timeline]
}

// place numbers a place.
func (t *tables) place(p Place) int {
	return t.places.number([3]int{t.texts.number(p.File), p.Line, t.texts.number(p.What)})
}

// likes numbers values that JSON tells apart.
type likes[T any] struct {
	all []T
	at  table[string]
}

func (l *likes[T]) number(value T) int {
	raw, err := json.Marshal(value)
	if err != nil {
		return -1
	}
	i := l.at.number(string(raw))
	if i == len(l.all) {
		l.all = append(l.all, value)
	}
	return i
}

// dataOf returns the data of the page and the timelines that it numbers.
func dataOf(r Report, opts Options) (pageData, []forecast.Timeline) {
	t := &tables{}
	data := pageData{Findings: []pageFinding{}, Releases: []pageRelease{}, Ends: [][2]int{}}
	data.Blocks, data.Rules = t.blocks(r.Findings, opts), pageRules(r.Findings, opts)
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
		id := p.Cluster + "/" + p.Name.String()
		if ids[id]++; ids[id] > 1 {
			p.ID = fmt.Sprintf("%s~%d", id, ids[id])
		}
		data.Releases = append(data.Releases, p)
	}
	drawn := min(mostDrawn, len(t.lines.all))
	for _, line := range t.lines.all[drawn:] {
		data.Ends = append(data.Ends, [2]int{t.texts.number(line.Scenario), t.texts.number(opts.Drawings.brief(line))})
	}
	data.Texts, data.Places = orEmpty(t.texts.all), orEmpty(t.places.all)
	data.Kinds, data.Standings = orEmpty(t.kinds.all), orEmpty(t.standings.all)
	return data, t.lines.all[:drawn]
}

// mostDrawn is how many timelines a page draws: those of blocks first, the worst before others.
// Of the others it says how they end. A fleet without two releases alike would make a page that
// no browser scrolls.
const mostDrawn = 30

// concerns reports whether a finding of a release's name is one of the release.
func (f Finding) concerns(r Release) bool {
	return slices.Contains(f.Tiers, r.Tier) && (len(f.Clusters) == 0 || slices.Contains(f.Clusters, r.Cluster))
}

func (t *tables) release(r Release, undetermined []release.Undetermined) pageRelease {
	p := pageRelease{
		Name: r.Name, Place: t.place(Place{File: r.File, Line: r.Line}),
		pageStanding: pageStanding{Cluster: r.Cluster, Tier: r.Tier, Class: r.Class, TierFrom: t.texts.number(r.TierFrom)},
	}
	p.Standing = t.standings.number(p.pageStanding)
	for _, path := range sortedKeys(r.DecidedBy) {
		p.Decided = append(p.Decided, [2]int{t.texts.number(path), t.place(r.DecidedBy[path])})
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
		pageKind: pageKind{
			Rule: f.Rule, Severity: f.byTier(), Path: t.texts.number(f.Path),
			Column: f.Column, Exact: f.Exact, Caret: f.Caret, Fix: f.Fix,
		},
		Message: t.texts.number(f.Message), Place: t.place(Place{File: f.File, Line: f.Line}), Source: t.source(f), Timeline: t.timeline(f.Forecast),
	}
	p.Kind = t.kinds.number(p.pageKind)
	if f.Waived != nil {
		p.Waived = &pageWaiver{f.Waived.Until, f.Waived.Reason, f.Waived.Owner}
	}
	for _, place := range f.Provenance {
		p.SetBy = append(p.SetBy, t.place(place))
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
	return t.lines.number(*line)
}
