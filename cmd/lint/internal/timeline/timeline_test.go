package timeline

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document/pagetest"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// TestJSON: what is written is what the schema says.
func TestJSON(t *testing.T) {
	compiler := validator.NewCompiler()
	compiled, err := compiler.Compile("../../../../docs/forecast.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	before, after := example(false), example(true)
	var report, comparison bytes.Buffer
	if err := Write(&report, "json", after, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := WriteComparison(&comparison, "json", comparisonOf(before, after), Options{}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{report.String(), comparison.String()} {
		document, err := validator.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(document); err != nil {
			t.Errorf("%v\n%s", err, text[:200])
		}
	}
}

// TestHTML: the pages are well formed and ask nobody for anything: their policy allows their
// own script and style alone.
func TestHTML(t *testing.T) {
	before, after := example(false), example(true)
	var report, comparison bytes.Buffer
	if err := Write(&report, "html", after, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := WriteComparison(&comparison, "html", comparisonOf(before, after), Options{}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{report.String(), comparison.String()} {
		if !strings.Contains(text, "<svg") || strings.Contains(text, "%!") {
			t.Error("page has no timeline, or a broken one")
		}
		if text == report.String() && !strings.Contains(text, "<code>flux reconcile helmrelease NAME --reset</code>") {
			t.Error("page has no command that revives the release")
		}
		if strings.Contains(text, "<b>x</b>") {
			t.Error("a name is not escaped")
		}
		pagetest.Check(t, text)
	}
}

// TestStrip: what is drawn is on the axis, in order of time, and none is too thin to see;
// what runs is said from the start to the end.
func TestStrip(t *testing.T) {
	for _, f := range append(example(true).Forecasts, example(false).Forecasts...) {
		s := stripOf(f.Timeline, lasts(f.Timeline))
		if len(s.Bars) != len(drawnSteps(f.Timeline)) || s.Endless && len(s.Bars) > mostDrawn {
			t.Fatalf("%s: %d bars for %d steps", f.Scenario, len(s.Bars), len(f.Steps))
		}
		for i, b := range s.Bars {
			if b.X < 0 || b.X+b.Width > 1+thinnest+1e-9 || b.Width < thinnest || i > 0 && b.X < s.Bars[i-1].X {
				t.Errorf("%s: bar %d is %+v", f.Scenario, i, b)
			}
		}
		for i, w := range s.Waits {
			if w.X < 0 || w.To > 1 || w.To <= w.X || !strings.HasPrefix(w.Title, "wait ") {
				t.Errorf("%s: wait %d is %+v", f.Scenario, i, w)
			}
		}
		at := 0.0
		for _, r := range s.Runs {
			if r.X != at || r.To < r.X || r.Class == "" {
				t.Errorf("%s: %+v runs, from %v", f.Scenario, r, at)
			}
			at = r.To
		}
		if at != 1 {
			t.Errorf("%s: what runs is said up to %v", f.Scenario, at)
		}
	}
}

// TestWhatRuns: between a failure and what is done about it the failed version runs.
func TestWhatRuns(t *testing.T) {
	for _, f := range example(false).Forecasts {
		if f.Scenario != "upgrade-fails" {
			continue
		}
		var runs []string
		for _, r := range stripOf(f.Timeline, lasts(f.Timeline)).Runs {
			runs = append(runs, r.Text)
		}
		if len(runs) == 0 || runs[0] != "old version runs" {
			t.Errorf("%q", runs)
		}
	}
}

// TestAlike: what several releases do alike stands in a page once, with all their names, and
// its advice names none of them.
func TestAlike(t *testing.T) {
	var all Report
	for i := range 50 {
		r := example(i == 49)
		for _, f := range r.Forecasts {
			f.Release.Name = fmt.Sprintf("app-%d", i)
			f.Revive = slices.Clone(f.Revive)
			for j, way := range f.Revive {
				f.Revive[j] = way.Named(f.Release.Name + " -n apps")
			}
			all.Forecasts = append(all.Forecasts, f)
		}
	}
	var page bytes.Buffer
	if err := Write(&page, "html", all, Options{}); err != nil {
		t.Fatal(err)
	}
	s := sheetOf(all)
	if s.Releases != 50 || len(s.Groups) != 2 || len(s.Groups[0].Names) != 49 || s.Groups[1].Names[0] != "apps/app-49" || s.Cluster != "west" {
		t.Fatalf("%d releases in %+v", s.Releases, s.Groups)
	}
	for _, section := range s.Sections {
		n := 0
		for i, c := range section.Cards {
			n += c.Releases()
			if i > 0 && c.rank() < section.Cards[i-1].rank() {
				t.Errorf("%s: the worst is not first", section.Scenario)
			}
		}
		if n != 50 {
			t.Errorf("%s is of %d releases", section.Scenario, n)
		}
	}
	text := page.String()
	if strings.Count(text, "apps/app-7,") != 1 || strings.Contains(text, "helmrelease app-0") || !strings.Contains(text, "helmrelease NAME -n NAMESPACE --reset") {
		t.Error("the page repeats or names what is alike")
	}
	if most := 9 << 10 * len(s.Sections); len(text) > most {
		t.Errorf("%d bytes, want at most %d", len(text), most)
	}
}

// TestMarkdownFolds: what releases do alike stands in Markdown once.
func TestMarkdownFolds(t *testing.T) {
	var all Report
	for i := range 50 {
		for _, f := range example(i == 49).Forecasts {
			f.Release.Name = fmt.Sprintf("app-%d", i)
			all.Forecasts = append(all.Forecasts, f)
		}
	}
	var page bytes.Buffer
	if err := Write(&page, "markdown", all, Options{}); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for want, n := range map[string]int{"### ": 2, "app-7 in cluster": 1, "### apps/app-0 in cluster \"west\" and 48 more": 1, "### apps/app-49 in": 1, "49 releases that do the same": 1} {
		if got := strings.Count(text, want); got != n {
			t.Errorf("%q stands %d times, want %d, in:\n%s", want, got, n, text[:min(len(text), 3000)])
		}
	}
}

// TestOneScale: both sides of a comparison have the same ticks, and equal changes stand once.
func TestOneScale(t *testing.T) {
	before, after := example(false), example(true)
	for i := range 2 { // a second release
		r := []*Report{&before, &after}[i]
		for _, f := range slices.Clone(r.Forecasts) {
			f.Release.Name = "second"
			r.Forecasts = append(r.Forecasts, f)
		}
	}
	s := sheetOfChanges(comparisonOf(before, after))
	if len(s.Groups) != 1 || len(s.Groups[0].Names) != 2 || s.Compared.Changed != 2*len(s.Groups[0].Cards) {
		t.Fatalf("%v in %d groups", s.Compared, len(s.Groups))
	}
	for _, c := range s.Groups[0].Cards {
		if a, b := c.Change.Strip(c.was()), c.Change.Strip(c.now()); !slices.Equal(a.Ticks, b.Ticks) {
			t.Errorf("%s: %v and %v", c.Scenario, a.Ticks, b.Ticks)
		}
	}
}

func TestCompare(t *testing.T) {
	before, after := example(false), example(true)
	gone := Forecast{Release: release.Name{Namespace: "apps", Name: "gone"}, Timeline: before.Forecasts[0].Timeline}
	added := Forecast{Release: release.Name{Namespace: "apps", Name: "added"}, Timeline: after.Forecasts[0].Timeline}
	before.Forecasts, after.Forecasts = append(before.Forecasts, gone), append(after.Forecasts, added)
	all := Compare(before, after).Comparisons
	said := map[string]string{}
	for _, c := range all {
		said[c.Release.Name+" "+c.Scenario] = c.Change
	}
	for key, want := range map[string]string{
		"<b>x</b> upgrade-fails": "was Stalled with RetriesExceeded after 5m (failed new version, a human is needed); " +
			"now Retrying 5m after each failure (failed new version)",
		"<b>x</b> killed-in-upgrade": "nothing changes: after an interrupted upgrade (3m) the release is Ready; the new version runs",
		"gone install-fails": "the release is gone; it was: after the first failed install (5m1s) the release is Stalled " +
			"with RetriesExceeded; the failed new version stays on the cluster and a human is needed",
		"added install-fails": "the release is new: after a failed install the upgrade fails and is tried again after 5m, forever; " +
			"the failed new version stays on the cluster; no human is needed once the cause is gone",
	} {
		if said[key] != want {
			t.Errorf("%s: %q, want %q", key, said[key], want)
		}
	}
	if last := all[len(all)-1]; last.Release.Name != "gone" || !last.Changed {
		t.Errorf("the last comparison is %+v", last)
	}
}

// TestCompareTwins: releases of one name in one cluster are compared in their order.
func TestCompareTwins(t *testing.T) {
	before, after := example(false), example(true)
	twins := Report{Forecasts: append(before.Forecasts[:1:1], after.Forecasts[0])}
	for _, c := range Compare(twins, twins).Comparisons {
		if c.Changed {
			t.Errorf("%+v", c)
		}
	}
}

// TestCompareUndetermined: what is not known in one state is not called new, gone or unchanged.
func TestCompareUndetermined(t *testing.T) {
	known := example(true)
	dark := func(reason string) Report {
		return Report{Undetermined: []Unforeseen{{Release: known.Forecasts[0].Release, Cluster: "west", Reason: reason}}}
	}
	for want, sides := range map[string][2]Report{
		"now: ${X}":               {known, dark("${X}")},
		"before: ${X}":            {dark("${X}"), known},
		"before and now: ${X}":    {dark("${X}"), dark("${X}")},
		"before: ${X}; now: ${Y}": {dark("${X}"), dark("${Y}")},
	} {
		sides[0].Undetermined, sides[1].Undetermined = less(sides[0].Undetermined), less(sides[1].Undetermined)
		c := Compare(sides[0], sides[1])
		if len(c.Comparisons) > 0 || len(c.Undetermined) != 1 || c.Undetermined[0].Reason() != want {
			t.Errorf("%s: %d comparisons, undetermined %+v", want, len(c.Comparisons), c.Undetermined)
		}
	}
}

// less leaves out what every example has.
func less(all []Unforeseen) []Unforeseen {
	return slices.DeleteFunc(slices.Clone(all), func(u Unforeseen) bool { return u.Release.Name == "dark" })
}

// TestFormats: every format writes every scenario, but for pictures, which hold one.
func TestFormats(t *testing.T) {
	r := example(true)
	for _, name := range slices.DeleteFunc(Formats(), func(name string) bool { return name == "svg" }) {
		for _, opts := range []Options{{}, {Color: true, Unicode: true}, {Brief: true}} {
			var b bytes.Buffer
			if err := Write(&b, name, r, opts); err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Forecasts {
				if !strings.Contains(b.String(), f.Scenario) {
					t.Errorf("%s %+v: no %s", name, opts, f.Scenario)
				}
			}
		}
	}
	if err := Write(io.Discard, "nonsense", r, Options{}); err == nil {
		t.Error("an unknown format was written")
	}
}

// A narrow terminal breaks lines between words, and no word is lost.
func TestWidth(t *testing.T) {
	var wide, narrow bytes.Buffer
	for out, width := range map[*bytes.Buffer]int{&wide: 0, &narrow: 72} {
		forecasts := example(false).Forecasts
		for i := range forecasts {
			forecasts[i].Revive = nil // commands are copied, and stay whole
		}
		if err := Write(out, "text", Report{Forecasts: forecasts}, Options{Width: width}); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.SplitSeq(narrow.String(), "\n") {
		if len(line) > 72 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if !slices.Equal(strings.Fields(wide.String()), strings.Fields(narrow.String())) {
		t.Error("wrapping changes the words")
	}
}

// example forecasts a release in all scenarios, with recovery or without.
func example(recovers bool) Report {
	half := release.Half{
		Strategy: release.RemediateOnFailure, Remediation: release.Rollback,
		Timeout: release.Duration{Duration: 5 * time.Minute},
	}
	if recovers {
		half.Strategy, half.RetryInterval.Duration = release.RetryOnFailure, 5*time.Minute
	}
	settings := release.Settings{Install: half, Upgrade: half}
	settings.Interval.Duration = time.Hour
	settings.Rollback.Timeout, settings.Uninstall.Timeout = half.Timeout, half.Timeout
	r := Report{APIVersion: APIVersion, Kind: Kind, Undetermined: []Unforeseen{
		{Release: release.Name{Namespace: "apps", Name: "dark"}, Cluster: "west", Reason: "spec.install depends on ${X}"},
	}}
	for _, s := range forecast.Scenarios() {
		r.Forecasts = append(r.Forecasts, Forecast{
			Release: release.Name{Namespace: "apps", Name: "<b>x</b>"}, Cluster: "west",
			Timeline: forecast.Run(settings, release.Controller{}, s, forecast.Options{Revive: true}),
		})
	}
	return r
}

func comparisonOf(before, after Report) Comparisons {
	c := Compare(before, after)
	c.Before, c.After = "main", "now"
	return c
}

// TestSVG: a picture is well formed, says in words what it shows, stays within its
// frame, and asks nobody for anything.
func TestSVG(t *testing.T) {
	before, after := example(false), example(true)
	before.Forecasts, after.Forecasts = before.Forecasts[:1], after.Forecasts[:1]
	after.Undetermined = nil
	after.Forecasts[0].Release.Name = `<script>"&`
	var one, both bytes.Buffer
	if err := Write(&one, "svg", after, Options{}); err != nil {
		t.Fatal(err)
	}
	after.Forecasts[0].Release = before.Forecasts[0].Release
	if err := WriteComparison(&both, "svg", comparisonOf(before, after), Options{}); err != nil {
		t.Fatal(err)
	}
	for text, sides := range map[string]int{one.String(): 1, both.String(): 2} {
		type edge struct {
			X     float64 `xml:"x,attr"`
			Width float64 `xml:"width,attr"`
		}
		var picture struct {
			Role  string `xml:"role,attr"`
			Title string `xml:"title"`
			Desc  string `xml:"desc"`
			Sides []struct {
				Bars []struct {
					Title string `xml:"title"`
					Bar   edge   `xml:"rect"`
				} `xml:"g"`
			} `xml:"g"`
		}
		if err := xml.Unmarshal([]byte(text), &picture); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if picture.Role != "img" || picture.Title == "" || strings.Count(picture.Desc, ".") < sides || len(picture.Sides) != sides {
			t.Errorf("%+v", picture)
		}
		for _, side := range picture.Sides {
			for _, bar := range side.Bars {
				if bar.Title == "" || bar.Bar.X < 0 || bar.Bar.X+bar.Bar.Width > 860 {
					t.Errorf("%+v", bar)
				}
			}
		}
		if found := regexp.MustCompile(`(?i)<script|href|@import|url\(`).FindString(text); found != "" {
			t.Errorf("the picture has %s", found)
		}
	}
	if err := Write(io.Discard, "svg", Report{}, Options{}); err == nil || !strings.Contains(err.Error(), "here are 0") {
		t.Errorf("nothing is drawn: %v", err)
	}
}

// TestTicks: at most six distances, all of one kind.
func TestTicks(t *testing.T) {
	for _, total := range []time.Duration{0, time.Second, 42 * time.Second, 25 * time.Minute, 3 * time.Hour, 1000 * time.Hour} {
		if n := len(ticks(total)); n < 1 || n > 7 {
			t.Errorf("%s: %d ticks", total, n)
		}
	}
}

// TestPictureInTheDark: each colour that is said for light screens is said anew for dark ones.
func TestPictureInTheDark(t *testing.T) {
	picture, err := os.ReadFile("picture.svg")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, _ := strings.Cut(string(picture), "prefers-color-scheme: dark")
	dark, _, _ = strings.Cut(dark, "</style>")
	for _, colour := range regexp.MustCompile(`#[0-9a-f]{3,6}\b`).FindAllString(light, -1) {
		if strings.Contains(dark, colour) {
			t.Errorf("%s is for light screens, and is in the dark, too", colour)
		}
	}
}
