package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// sample has every field filled, with what formats must escape.
func sample(t *testing.T) Report {
	t.Helper()
	var until rules.Date
	if err := until.UnmarshalText([]byte("2030-01-31")); err != nil {
		t.Fatal(err)
	}
	shop, db := release.Name{Namespace: "apps", Name: "shop"}, release.Name{Namespace: "data", Name: "db"}
	production, staging := []release.Tier{release.Production}, []release.Tier{release.Staging}
	rollback := Finding{
		Rule: "no-recovery", Category: "recovery", Severity: rules.Error,
		Message:  "100% of <nothing> recovers it: `Stalled`, | and @you\nare \x1b[31mneeded",
		Subject:  Subject{Release: shop, Tiers: production, Cluster: "live", Clusters: []string{"live"}},
		Position: Position{Path: "spec.upgrade.strategy", File: "./apps/a b/shop.yaml", Line: 2, Column: 3, Exact: true, Excerpt: "  upgrade: \"<old> ``` \"", Caret: 2},
	}
	elsewhere := rollback
	elsewhere.Severity, elsewhere.Tiers, elsewhere.Cluster, elsewhere.Clusters = rules.Warning, staging, "edge", []string{"edge"}
	other := rollback
	other.Release = db
	patched := Finding{
		Rule: "retry-too-slow", Category: "timing", Severity: rules.Info, Message: "retried after 2h",
		Subject: Subject{Release: db, Tiers: production, Cluster: "live", Clusters: []string{"live"}},
		Position: Position{
			Path: `metadata.annotations["a/b"]`, File: "clusters/live/ks,1.yaml", Line: 7, Column: 9,
			Provenance: []Place{{"clusters/live/ks,1.yaml", 7, "patch 2 of Kustomization flux-system/apps"}, {"clusters/live/root.yaml", 3, "Kustomization flux-system/root"}},
		},
		Fix: &rules.Fix{
			Safe: true, OnlySelected: true, Set: []rules.Edit{
				{Path: release.Path{"spec", "upgrade", "strategy", "retryInterval"}, Value: "5m"},
				{Path: release.Path{"spec", "upgrade", "remediation"}},
			},
		},
		Hunks: []Hunk{{"clusters/live/ks,1.yaml", 7, 1, 8, 1, "        retryInterval: 5m\n"}},
		Remedy: &Remedy{
			Kind: "safe", Selected: true, Remove: []string{"spec.upgrade.remediation"},
			Lines: []string{"spec:", "  upgrade:", "    strategy:", "      retryInterval: 5m"},
		},
		Forecast: &forecast.Timeline{
			Scenario: "upgrade-fails", Steps: []forecast.Step{},
			Outcome: forecast.Outcome{End: forecast.Stalled, Reason: "RetriesExceeded", Running: forecast.FailedNew, Summary: "it is Stalled"},
		},
	}
	waived := Finding{
		Rule: "unlimited-history", Category: "timing", Severity: rules.Error, Message: "grows for ever",
		Subject:  Subject{Release: db, Tiers: production, Clusters: []string{}},
		Position: Position{Path: "spec.maxHistory", File: "data/db.yaml", Line: 4, Column: 1, Exact: true},
		Waived:   &rules.Waiver{Rule: "unlimited-history", Until: until, Reason: "see ticket 7", Owner: "dba", Path: release.Path{"metadata", "annotations", "waive.flux-remedy.io/unlimited-history"}},
	}
	r := New(
		[]Release{
			{Name: shop, Tier: release.Production, TierFrom: "cluster live", Cluster: "live", File: "apps/a b/shop.yaml", Line: 1, Class: rules.ClassViolating, DecidedBy: map[string]Place{"spec.timeout": {File: "apps/a b/shop.yaml", Line: 2}}},
			{Name: shop, Tier: release.Staging, TierFrom: "cluster edge", Cluster: "edge", File: "apps/a b/shop.yaml", Line: 1, Class: rules.ClassViolating},
			{Name: db, Tier: release.Production, TierFrom: "default", Cluster: "live", File: "data/db.yaml", Line: 1, Class: rules.ClassRetry},
			{Name: release.Name{Namespace: "", Name: "odd"}, Tier: release.Production, TierFrom: "default", File: "odd.yaml", Line: 1, Class: rules.ClassUnknown},
		},
		[]Finding{waived, patched, other, elsewhere, rollback},
		[]release.Undetermined{{File: "odd.yaml", Line: 1, Release: "odd", Reason: "spec.timeout holds ${TIMEOUT}, which nothing defines"}, {File: "gone.yaml", Line: 3, Reason: "source elsewhere"}},
		[]Problem{{File: "broken.yaml", Line: 3, Column: 2, Message: "did not find expected key"}, {File: "big.yaml", Message: "too large"}},
	).SetAside([]release.Undetermined{
		{File: "old,1/<b>.yaml", Line: 1, Release: "apps/old", Reason: "no cluster here applies it"},
		{File: "old,1/<b>.yaml", Line: 1, Release: "apps/older", Reason: "no cluster here applies it"},
		{File: "ks.yaml", Line: 3, Reason: "Kustomization a/`b` cannot be built; no cluster here applies it"},
	})
	r.InForce = rules.InForce{Digest: "sha256:0123456789abcdef", Bundle: "v7"}
	return r
}

func sampleOptions() Options {
	return Options{
		Length: func(file string, line int) (int, bool) {
			return 36, file == "./apps/a b/shop.yaml" && line == 2
		},
		Page: func(rule rules.Rule) string { return "# " + rule.ID + "\n\nThe *whole* page.\n" },
		Rules: []rules.Rule{{
			ID: "no-recovery", Category: "recovery", Title: "Nothing recovers the release", Description: "Text in *Markdown*.\n",
			Severity:   map[release.Tier]rules.Severity{release.Production: rules.Error},
			References: []rules.Reference{{URL: "https://fluxcd.io/flux/components/helm/helmreleases/#failure-handling"}},
		}},
		Version: "v0.1.0",
	}
}

func TestNewMergesAndCounts(t *testing.T) {
	r := sample(t)
	want := Summary{Releases: 4, Judged: 3, Undetermined: 2, Unapplied: 3, Counts: rules.Counts{Errors: 2, Infos: 1, Waived: 1}, Problems: 2}
	if r.Summary != want {
		t.Errorf("summary %+v, want %+v", r.Summary, want)
	}
	if len(r.Findings) != 4 {
		t.Fatalf("%d findings, want 4", len(r.Findings))
	}
	f := r.Findings[0]
	if f.Release.Name != "shop" || f.Severity != rules.Error || f.Cluster != "edge" || len(f.Clusters) != 2 || len(f.Tiers) != 2 {
		t.Errorf("merged finding %+v", f)
	}
	if n := r.Worst(rules.Warning); n != 2 {
		t.Errorf("%d findings are warnings or worse, want 2", n)
	}
}

// Of a release that a cluster applies with several contents it is told that one of them is blocked, whichever is worse.
func TestBlockedContent(t *testing.T) {
	blocked := Release{Name: release.Name{Namespace: "apps", Name: "shop"}, Tier: release.Production, Class: rules.ClassRetry, BlockedBy: "Kustomization x is blocked"}
	worse := blocked
	worse.Class, worse.BlockedBy = rules.ClassViolating, ""
	for _, releases := range [][]Release{{blocked, worse}, {worse, blocked}} {
		r := New(releases, nil, nil, nil)
		if len(r.Releases) != 1 || r.Releases[0].Class != rules.ClassViolating || !slices.Contains(r.remarks(), "1 release not applied as written here: Kustomization x is blocked") {
			t.Errorf("releases %+v, remarks %q", r.Releases, r.remarks())
		}
	}
}

// Findings are counted by what makes them, and what concerns the most releases is told
// first among what is as bad.
func TestCauses(t *testing.T) {
	found := func(severity rules.Severity, name, file, field string, fix *rules.Fix) Finding {
		f := Finding{Rule: "bad", Severity: severity, Message: "is bad", Fix: fix}
		f.Release.Name, f.File, f.Field, f.Line = name, file, field, 3
		return f
	}
	waived := found(rules.Error, "w", "b.yaml", "HelmRelease w spec", nil)
	waived.Waived = &rules.Waiver{}
	r := New(nil, []Finding{
		found(rules.Warning, "a", "0.yaml", "HelmRelease a spec", nil),
		found(rules.Error, "b", "a.yaml", "HelmRelease b spec", &rules.Fix{Safe: true}),
		found(rules.Error, "c", "ks.yaml", "Kustomization apps spec", &rules.Fix{Safe: true}),
		found(rules.Error, "d", "ks.yaml", "Kustomization apps spec", &rules.Fix{}),
		waived,
	}, nil, nil)
	var counted []CountedCause
	for _, c := range causes(r.Findings) {
		counted = append(counted, c.counted())
	}
	got := fmt.Sprint(counted)
	want := "[{{bad ks.yaml Kustomization apps spec} 3 0 error 2 2 unsafe [] [] []} {{bad a.yaml HelmRelease b spec} 3 0 error 1 1 safe [] [] []} " +
		"{{bad 0.yaml HelmRelease a spec} 3 0 warning 1 1  [] [] []}]"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	text := string(render(t, "text", r, Options{}))
	if first, second := strings.Index(text, "ks.yaml:3"), strings.Index(text, "a.yaml:3"); first < 0 || second < first {
		t.Errorf("the widest is not first:\n%s", text)
	}
}

// A terminal shows a screen of what is found, the worst first, names more, and says how to
// see everything; a file, and --all, have everything.
func TestScreen(t *testing.T) {
	var findings []Finding
	for i := range 20 {
		f := Finding{Rule: fmt.Sprintf("rule-%02d", i), Severity: rules.Warning, Message: "is odd"}
		if i == 19 {
			f.Severity = rules.Error
		}
		f.File, f.Line = "a.yaml", i+1
		findings = append(findings, f)
	}
	r := New(nil, findings, nil, nil)
	const shortened = "17 more, in full with --all:\n  warning: rule-02: a.yaml:3\n  warning: rule-03: a.yaml:4\n"
	for want, opts := range map[string]Options{shortened: {Height: 24}, "[rule-18]": {Height: 24, All: true}, "[rule-17]": {}} {
		if text := string(render(t, "text", r, opts)); !strings.Contains(text, want) || !strings.HasPrefix(text, "error: is odd [rule-19]") {
			t.Errorf("height %d: want %q in:\n%s", opts.Height, want, text)
		}
	}
}

// Whatever a report holds, it fits the screen, and says that there is more.
func TestEverythingFitsAScreen(t *testing.T) {
	long := strings.Repeat("many words that are long enough to be wrapped ", 20)
	for _, n := range []int{1, 3, 40} {
		var findings []Finding
		var undetermined []release.Undetermined
		var releases []Release
		var problems []Problem
		for i := range n {
			f := Finding{Rule: fmt.Sprintf("rule-%02d", i), Severity: rules.Error, Message: long, Remedy: &Remedy{Kind: "safe", Lines: strings.Fields(long)}}
			f.Release.Name, f.Tiers = fmt.Sprint("app-", i), []release.Tier{release.Production}
			f.File, f.Line, f.Field = fmt.Sprintf("%d.yaml", i), 3, fmt.Sprint("HelmRelease ", i, " spec")
			findings = append(findings, f)
			undetermined = append(undetermined, release.Undetermined{File: "a.yaml", Line: i, Reason: fmt.Sprint(long, i)})
			problems = append(problems, Problem{File: "b.yaml", Message: long})
			releases = append(releases, Release{Tier: release.Staging, TierFrom: fmt.Sprint("label ", i), Cluster: fmt.Sprint(i), HelmController: HelmController{Version: "1.6.3", From: fmt.Sprint(long, i)}})
		}
		r := New(releases, findings, undetermined, problems)
		for _, size := range [][2]int{{80, 24}, {60, 10}, {100, 30}, {160, 50}, {200, 90}} {
			opts := Options{Width: size[0], Height: size[1]}
			out, screen := string(render(t, "text", r, opts)), document.Screen{Width: size[0], Height: size[1]}
			if rows, most := screen.Rows(out), screen.Room(); rows > most {
				t.Errorf("%d of each take %d rows of %d:\n%s", n, rows, most, out)
			}
			if !strings.Contains(out, "--all shows everything") || !strings.Contains(out, "undetermined items were not checked") || !strings.Contains(out, "b.yaml: cannot be read") {
				t.Errorf("want the summary and how to see the rest:\n%s", out)
			}
		}
	}
}

// A cause of several fields says what to write for each.
func TestHelpOfSeveralFields(t *testing.T) {
	var findings []Finding
	for _, half := range []string{"install", "upgrade"} {
		f := Finding{Rule: "unbounded-remediation", Severity: rules.Error, Message: half, Fix: &rules.Fix{}}
		f.Path, f.File, f.Line, f.Field = "spec."+half+".remediation.retries", "apps.yaml", 10, "Kustomization apps spec.postBuild.substitute.RETRIES"
		f.Remedy = &Remedy{Kind: "unsafe", Lines: []string{"spec:", "  " + half + ":", "    strategy:", "      name: RetryOnFailure"}, Remove: []string{"spec." + half + ".remediation"}}
		findings = append(findings, f, f)
	}
	all := causes(findings)
	if len(all) != 1 {
		t.Fatalf("%d causes", len(all))
	}
	got := all[0].counted()
	want := "[spec:   install:     strategy:       name: RetryOnFailure   upgrade:     strategy:       name: RetryOnFailure] [spec.install.remediation spec.upgrade.remediation]"
	if text := fmt.Sprint(got.Help, got.Remove); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}

// TestOneCauseOfSeveral has one value that decides two fields, in tiers of two severities:
// each finding counts as what it is, and each field is shown.
func TestOneCauseOfSeveral(t *testing.T) {
	var findings []Finding
	for _, path := range []string{"spec.install.remediation.retries", "spec.upgrade.remediation.retries"} {
		for _, severity := range []rules.Severity{rules.Error, rules.Warning} {
			f := Finding{Rule: "unbounded-remediation", Severity: severity, Message: path + " has no end"}
			f.Release.Name = string(severity)
			f.Path, f.File, f.Line, f.Field = path, "apps.yaml", 10, "spec.postBuild.substitute.RETRIES"
			findings = append(findings, f)
		}
	}
	text := string(render(t, "text", New(nil, findings, nil, nil), Options{}))
	for _, want := range []string{"spec.install.remediation.retries has no end", "spec.upgrade.remediation.retries has no end", "2 errors in 1 place, 2 warnings in 1 place"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in:\n%s", want, text)
		}
	}
}

// What is undetermined for one reason names each cluster once, however often it is met there.
func TestGaps(t *testing.T) {
	var all []release.Undetermined
	for _, at := range []struct {
		file     string
		clusters string
	}{{"a", "v w x y z"}, {"b", "v w x y z"}, {"c", "v"}, {"d", "v"}} {
		for _, cluster := range strings.Fields(at.clusters) {
			all = append(all, release.Undetermined{File: at.file, Line: 1, Cluster: cluster, Reason: "of: elsewhere"})
		}
	}
	gaps := Options{}.gaps(all)
	want := "clusters v, w, x, y, z: of: elsewhere; the same reason in 3 more places: b:1, c:1 in cluster v, d:1"
	if len(gaps) != 1 || gaps[0].reason() != want {
		t.Errorf("%v, want %s", gaps, want)
	}
	all = append(all, release.Undetermined{File: "a", Line: 1, Cluster: "zz", Reason: "of: elsewhere"})
	if got := (Options{}.gaps(all)[0]).reason(); !strings.HasPrefix(got, "clusters v, w, x, y and 2 more: ") {
		t.Errorf("of six clusters: %s", got)
	}
}

func TestFolded(t *testing.T) {
	of := func(cluster, reason string) release.Undetermined {
		return release.Undetermined{File: "a.yaml", Line: 1, Cluster: cluster, Reason: reason}
	}
	for want, all := range map[string][]release.Undetermined{
		"live: x":              {of("live", "x"), of("live", "x")},
		"live, edge: x":        {of("live", "x"), of("edge", "x"), of("live", "x")},
		"live: x; live: y":     {of("live", "x"), of("live", "y")},
		"live, live-eu: x":     {of("live", "x"), of("live-eu", "x")},
		": x; : x; live: x":    {of("", "x"), of("", "x"), of("live", "x")},
		"edge, live-eu, li: x": {of("edge", "x"), of("live-eu", "x"), of("li", "x")},
	} {
		var got []string
		for _, u := range folded(all) {
			got = append(got, u.Cluster+": "+u.Reason)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
