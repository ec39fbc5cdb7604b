package report

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

var (
	scripts = regexp.MustCompile(`(?s)(<script[^>]*>)(.*?)(</script>)`)
	// pathInFix is the path of an edit, which is written as text and never read.
	pathInFix = regexp.MustCompile(`("path":)("(?:[^"\\]|\\.)*")`)
	styles    = regexp.MustCompile(`(?s)(<style>)(.*?)(</style>)`)
)

// htmlOf returns a page, and the page without its scripts and style.
func htmlOf(t *testing.T, r Report) (whole, markup string) {
	t.Helper()
	opts := sampleOptions()
	opts.Drawings = Drawings{Style: timeline.Style, Draw: timeline.Fragment, Brief: timeline.Brief}
	whole = string(render(t, "html", r, opts))
	if whole != string(render(t, "html", r, opts)) {
		t.Error("not the same bytes a second time")
	}
	return whole, styles.ReplaceAllString(scripts.ReplaceAllString(whole, "$1$3"), "$1$3")
}

func dataIn(t *testing.T, whole string) (raw string, data pageData) {
	t.Helper()
	raw = scripts.FindStringSubmatch(whole)[2]
	if err := json.Unmarshal([]byte(pathInFix.ReplaceAllString(raw, "$1[$2]")), &data); err != nil {
		t.Fatal(err)
	}
	for i, f := range data.Findings {
		data.Findings[i].pageKind = data.Kinds[f.Kind]
	}
	for i, r := range data.Releases {
		data.Releases[i].pageStanding = data.Standings[r.Standing]
	}
	return raw, data
}

// at returns a place.
func (data pageData) at(i int) Place {
	p := data.Places[i]
	return Place{File: data.Texts[p[0]], Line: p[1], What: data.Texts[p[2]]}
}

// TestHTMLIsWellFormed: what a browser reads is what was written.
func TestHTMLIsWellFormed(t *testing.T) {
	for name, r := range map[string]Report{"sample": sample(t), "empty": New(nil, nil, nil, nil)} {
		_, markup := htmlOf(t, r)
		decoder := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(markup, "<!doctype html>")))
		decoder.Entity = xml.HTMLEntity
		ids := map[string]bool{}
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			element, _ := token.(xml.StartElement)
			for _, a := range element.Attr {
				if a.Name.Local == "id" && ids[a.Value] {
					t.Errorf("%s: two elements have the id %s", name, a.Value)
				}
				ids[a.Value] = ids[a.Value] || a.Name.Local == "id"
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" {
					t.Errorf("%s: <%s> has %s, which the page's policy forbids", name, element.Name.Local, a.Name.Local)
				}
			}
		}
	}
}

// TestHTMLAsksNobody: nothing in the page can be a request, by its own policy.
func TestHTMLAsksNobody(t *testing.T) {
	whole, markup := htmlOf(t, sample(t))
	for _, m := range regexp.MustCompile(`\b(?:href|src|action|srcset|poster)="([^"]*)"`).FindAllStringSubmatch(markup, -1) {
		if m[1] != "data:," && !strings.HasPrefix(m[1], "#") {
			t.Errorf("page links to %s", m[1])
		}
	}
	code := styles.FindStringSubmatch(whole)[2] + scripts.FindAllStringSubmatch(whole, -1)[1][2]
	if found := regexp.MustCompile(`(?i)https?:|//\w|@import|url\(|fetch|XMLHttp|WebSocket|innerHTML|outerHTML|insertAdjacent|document\.write|eval\(`).FindString(code); found != "" {
		t.Errorf("style or script has %s", found)
	}
	policy := regexp.MustCompile(`content="(default-src [^"]*)"`).FindStringSubmatch(markup)
	if policy == nil || strings.Contains(policy[1], "unsafe") || !strings.HasPrefix(policy[1], "default-src &#39;none&#39;") {
		t.Errorf("policy %q", policy)
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
	whole, markup := htmlOf(t, r)
	if strings.Contains(whole, "<img") || strings.Count(whole, "</script>") != 2 || strings.Count(whole, "</style>") != 1 || strings.Contains(markup, "</template>") {
		t.Error("text of a manifest is not escaped")
	}
	if _, data := dataIn(t, whole); data.Releases[0].Name.Name != plain.Line(evil) || data.Texts[data.Findings[0].Message] != plain.Line(evil) {
		t.Error("text of a manifest is not shown as it is")
	}
}

// TestHTMLData: the data holds every release with its findings, each once, and
// every number names something.
func TestHTMLData(t *testing.T) {
	r := sample(t)
	whole, markup := htmlOf(t, r)
	_, data := dataIn(t, whole)
	if len(data.Releases) != len(r.Releases) || len(data.Findings) != len(r.Findings) {
		t.Fatalf("%d releases and %d findings", len(data.Releases), len(data.Findings))
	}
	reached := map[int]int{}
	for i, release := range data.Releases {
		if release.Name != r.Releases[i].Name || data.at(release.Place).File != r.Releases[i].File || data.Texts[release.TierFrom] != r.Releases[i].TierFrom {
			t.Errorf("release %+v", release)
		}
		for _, f := range release.Findings {
			reached[f]++
		}
		for _, pair := range release.Decided {
			if got := data.at(pair[1]); got != r.Releases[i].DecidedBy[data.Texts[pair[0]]] {
				t.Errorf("%s is decided by %+v", data.Texts[pair[0]], got)
			}
		}
	}
	for i, f := range data.Findings {
		want := r.Findings[i]
		if reached[i] != max(len(want.Clusters), 1) {
			t.Errorf("%s is shown for %d releases", f.Rule, reached[i])
		}
		if data.Texts[f.Message] != plain.Line(want.Message) || data.Texts[f.Path] != want.Path || data.at(f.Place).Line != want.Line || len(f.SetBy) != len(want.Provenance) {
			t.Errorf("finding %+v", f)
		}
		if (f.Timeline >= 0) != (want.Forecast != nil) || f.Timeline >= 0 && !strings.Contains(markup, fmt.Sprintf(`<template id="timeline-%d">`, f.Timeline)) {
			t.Errorf("%s has timeline %d", f.Rule, f.Timeline)
		}
	}
	if got := data.Releases[3].Reasons; len(got) != 1 || !strings.Contains(data.Texts[got[0]], "TIMEOUT") {
		t.Errorf("reasons %v", got)
	}
}

// TestHTMLBlocks: what is found stands by place, the worst first, every finding that nothing
// waives in one block, and with the rule's own words.
func TestHTMLBlocks(t *testing.T) {
	r := sample(t)
	whole, markup := htmlOf(t, r)
	_, data := dataIn(t, whole)
	seen := map[int]int{}
	for i, b := range data.Blocks {
		if b.Severity != r.Findings[b.Shown].Severity || i > 0 && rank(b.Severity) < rank(data.Blocks[i-1].Severity) {
			t.Errorf("block %d is %+v", i, b)
		}
		if data.Texts[b.Title] == "" || data.Texts[b.Happens] == "" || data.Texts[b.Help] == "" || data.at(b.Place).File == "" {
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
	whole, _ := htmlOf(t, New(releases, findings, nil, nil))
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
	whole, markup := htmlOf(t, New(releases, findings, nil, nil))
	_, data := dataIn(t, whole)
	if n := strings.Count(markup, "</"); len(whole) > 1<<20 || n > 20000 {
		t.Errorf("%d bytes, %d elements", len(whole), n)
	}
	if drawn := strings.Count(markup, "<template"); drawn != mostDrawn || drawn+len(data.Ends) != 1000 {
		t.Errorf("%d timelines and %d ends", drawn, len(data.Ends))
	}
	for _, f := range data.Findings {
		if n := f.Timeline - mostDrawn; n >= len(data.Ends) || n >= 0 && !strings.Contains(data.Texts[data.Ends[n][1]], " runs") {
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
		width += class.Width
	}
	if width != 100 {
		t.Errorf("a bar is %v wide", width)
	}
	byRule := ruleRows(data, sampleOptions())
	if first := byRule[0]; first.ID != "no-recovery" || first.Title == "" || first.Releases != 3 || byRule[len(byRule)-1].Waived != 1 {
		t.Errorf("rules %+v", byRule)
	}
}
