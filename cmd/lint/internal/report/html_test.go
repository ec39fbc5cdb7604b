package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document/pagetest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// htmlOf returns a page, the page without its scripts and style, and the data in it.
func htmlOf(t *testing.T, r Report) (whole, markup string, data shownData) {
	t.Helper()
	opts := sampleOptions()
	opts.Drawings = Drawings{Style: timeline.Style, Draw: timeline.Fragment, Brief: timeline.Brief}
	whole = string(render(t, "html", r, opts))
	if whole != string(render(t, "html", r, opts)) {
		t.Error("not the same bytes a second time")
	}
	pagetest.Data(t, whole, &data)
	return whole, pagetest.Check(t, whole), data
}

// shownData is what is read of the data: the edits of fixes are written as text and never read.
type shownData struct {
	pageData
	Findings []struct {
		Rule, Message, Path, File string
		Line, Timeline            int
		Provenance                []Place
		Fix                       json.RawMessage
	} `json:"findings"`
}

// TestHTMLOfNothing: an empty report is a page, too.
func TestHTMLOfNothing(t *testing.T) {
	if _, _, data := htmlOf(t, New(nil, nil, nil, nil)); len(data.Releases)+len(data.Findings)+len(data.Blocks) > 0 {
		t.Errorf("%+v", data)
	}
}

// TestHTMLEscapes: what a manifest says stays text, wherever a report shows it.
func TestHTMLEscapes(t *testing.T) {
	const evil = `</script></style></template><img src=x onerror=alert(1)>"'` + "`${x}\u2028"
	place := Place{File: evil, Line: 1, What: evil}
	name := release.Name{Namespace: evil, Name: evil}
	var until rules.Date
	r := New(
		[]Release{{Name: name, Tier: release.Production, TierFrom: evil, Cluster: evil, File: evil, Class: rules.ClassUnknown, DecidedBy: map[string]Place{evil: place}}},
		[]Finding{{
			Rule: evil, Severity: rules.Error, Message: evil,
			Subject:  Subject{Release: name, Tiers: []release.Tier{release.Production}, Clusters: []string{evil}},
			Position: Position{Path: evil, File: evil, Provenance: []Place{place}}, Fix: &rules.Fix{Set: []rules.Edit{{Path: release.Path{evil}, Value: evil}}}, Waived: &rules.Waiver{Reason: evil, Owner: evil},
		}},
		[]release.Undetermined{{File: evil, Line: 1, Release: evil, Cluster: evil, Reason: evil}}, []Problem{{File: evil, Message: evil}})
	r.Waivers = []Waiver{{Rule: evil, Release: evil, Reason: evil, Owner: evil, Until: until, State: WaiverUsed, File: evil}}
	r.Baseline = &Baseline{From: evil, Stale: []Known{{Rule: evil, File: evil, Field: evil, Severity: rules.Error}, {Rule: evil, Release: evil, Path: evil, Cluster: evil, File: evil}}}
	whole, markup, data := htmlOf(t, r)
	if strings.Contains(whole, "<img") || strings.Count(whole, "</script>") != 2 || strings.Count(whole, "</style>") != 1 || strings.Contains(markup, "</template>") {
		t.Error("text of a manifest is not escaped")
	}
	if data.Releases[0].Name.Name != plain.Line(evil) || data.Findings[0].Message != plain.Line(evil) {
		t.Error("text of a manifest is not shown as it is")
	}
}

// TestHTMLData: the data holds every release with its findings, each once, and
// every number names something.
func TestHTMLData(t *testing.T) {
	r := sample(t)
	_, markup, data := htmlOf(t, r)
	if len(data.Releases) != len(r.Releases) || len(data.Findings) != len(r.Findings) {
		t.Fatalf("%d releases and %d findings", len(data.Releases), len(data.Findings))
	}
	reached := map[int]int{}
	for i, release := range data.Releases {
		if want := r.Releases[i]; release.Name != want.Name || release.File != want.File || release.TierFrom != want.TierFrom || !maps.Equal(release.DecidedBy, want.DecidedBy) {
			t.Errorf("release %+v", release)
		}
		for _, f := range release.Findings {
			reached[f]++
		}
	}
	for i, f := range data.Findings {
		want := r.Findings[i]
		if reached[i] != max(len(want.Clusters), 1) {
			t.Errorf("%s is shown for %d releases", f.Rule, reached[i])
		}
		if f.Message != plain.Line(want.Message) || f.Path != want.Path || f.Line != want.Line || len(f.Provenance) != len(want.Provenance) {
			t.Errorf("finding %+v", f)
		}
		if (f.Timeline >= 0) != (want.Forecast != nil) || f.Timeline >= 0 && !strings.Contains(markup, fmt.Sprintf(`<template id="timeline-%d">`, f.Timeline)) {
			t.Errorf("%s has timeline %d", f.Rule, f.Timeline)
		}
	}
	if got := data.Releases[3].Reasons; len(got) != 1 || !strings.Contains(got[0], "TIMEOUT") {
		t.Errorf("reasons %v", got)
	}
}

// TestHTMLBlocks: what is found stands by place, the worst first, every finding that nothing
// waives in one block, and with the rule's own words.
func TestHTMLBlocks(t *testing.T) {
	r := sample(t)
	r.Findings[0].HoldsUp = &HoldsUp{Summary: "2 releases for 5m", Releases: 2}
	_, markup, data := htmlOf(t, r)
	seen := map[int]int{}
	for i, b := range data.Blocks {
		if b.Severity != r.Findings[b.Shown].Severity || i > 0 && b.Severity.Rank() < data.Blocks[i-1].Severity.Rank() {
			t.Errorf("block %d is %+v", i, b)
		}
		if b.Title == "" || b.Happens == "" || b.Help == "" || b.Place.File == "" {
			t.Errorf("block %d says too little: %+v", i, b)
		}
		for _, f := range b.All {
			seen[f]++
		}
	}
	for i, f := range r.Findings {
		want := 1
		if f.Waived != nil {
			want = 0
		}
		if seen[i] != want {
			t.Errorf("%s is in %d blocks", f.Rule, seen[i])
		}
	}
	if text := fmt.Sprint(data.Blocks); !strings.Contains(text, "2 releases for 5m") || len(data.Findings[2].Fix) == 0 {
		t.Errorf("%s does not say what is held up, or finding 2 has no fix: %+v", text, data.Findings)
	}
	if data.Rules["no-recovery"].Title == "" || !strings.Contains(markup, r.found()) {
		t.Errorf("rules %+v, and %q", data.Rules, r.found())
	}
}

// TestHTMLIsSmall: two thousand releases that a patch makes alike are not two
// thousand times its words and timelines.
func TestHTMLIsSmall(t *testing.T) {
	r := sample(t)
	of := r.Findings[len(r.Findings)-1]
	for _, f := range r.Findings {
		if f.Forecast != nil {
			of = f
		}
	}
	var releases []Release
	var findings []Finding
	for i := range 2000 {
		one, f := r.Releases[0], of
		one.Name = release.Name{Namespace: "apps", Name: fmt.Sprintf("app-%d", i)}
		f.Release = one.Name
		releases, findings = append(releases, one), append(findings, f)
	}
	whole, _, _ := htmlOf(t, New(releases, findings, nil, nil))
	if len(whole) > 1<<20 || strings.Count(whole, "<template") != 1 {
		t.Errorf("%d bytes, %d timelines", len(whole), strings.Count(whole, "<template"))
	}
}

// TestHTMLOfAllDifferent: two thousand releases of which no two are alike are not two thousand
// timelines; those that are not drawn have their end, and what is found of each.
func TestHTMLOfAllDifferent(t *testing.T) {
	r := sample(t)
	i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Forecast != nil })
	var releases []Release
	var findings []Finding
	for n := range 2000 {
		one, f, line := r.Releases[0], r.Findings[i], *r.Findings[i].Forecast
		one.Name = release.Name{Namespace: "apps", Name: fmt.Sprintf("app-%d", n/2)}
		one.Cluster = []string{"east", "west"}[n%2]
		one.File = fmt.Sprintf("apps/app-%d.yaml", n/2)
		line.Outcome.After.Duration = time.Duration(60+n/2) * time.Second
		f.Release, f.Forecast, f.File = one.Name, &line, one.File
		f.Clusters, f.Tiers = []string{"east", "west"}, []release.Tier{one.Tier}
		releases = append(releases, one)
		if n%2 == 0 {
			findings = append(findings, f)
		}
	}
	whole, markup, data := htmlOf(t, New(releases, findings, nil, nil))
	if n := strings.Count(markup, "</"); len(whole) > 1<<20 || n > 20000 {
		t.Errorf("%d bytes, %d elements", len(whole), n)
	}
	if drawn := strings.Count(markup, "<template"); drawn != mostDrawn || drawn+len(data.Ends) != 1000 {
		t.Errorf("%d timelines and %d ends", drawn, len(data.Ends))
	}
	for _, f := range data.Findings {
		if n := f.Timeline - mostDrawn; n >= len(data.Ends) || n >= 0 && !strings.Contains(data.Ends[n][1], " runs") {
			t.Errorf("timeline %d is neither drawn nor said", f.Timeline)
		}
	}
}

func TestHTMLSummary(t *testing.T) {
	data, _ := dataOf(sample(t), sampleOptions())
	rows := clusterRows(data)
	if len(rows) != 3 || rows[1].Cluster != "live" || rows[1].Releases != 2 || rows[1].Errors != 2 || rows[2].Tier != release.Staging || rows[2].Errors != 0 || rows[2].Warnings != 1 {
		t.Errorf("clusters %+v", rows)
	}
	width := 0.0
	for _, class := range rows[1].Classes {
		width += class.Len
	}
	if width != 100 {
		t.Errorf("a bar is %v wide", width)
	}
	byRule := ruleRows(data, sampleOptions())
	if first := byRule[0]; first.ID != "no-recovery" || first.Title == "" || first.Releases != 3 || byRule[len(byRule)-1].Waived != 1 {
		t.Errorf("rules %+v", byRule)
	}
}
