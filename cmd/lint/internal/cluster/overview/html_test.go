package overview

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/document/pagetest"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// now is the clock of the tests.
var now = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// htmlOf returns a page, the page without its scripts and style, and the data in it.
func htmlOf(t *testing.T, r Report) (whole, markup string, data pageData) {
	t.Helper()
	var first, second bytes.Buffer
	if err := errors.Join(Write(&first, "html", r, document.Screen{}, "v1"), Write(&second, "html", r, document.Screen{}, "v1")); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Error("not the same bytes a second time")
	}
	pagetest.Data(t, first.String(), &data)
	return first.String(), pagetest.Check(t, first.String()), data
}

// fleetOf returns a report of clusters with as many releases each.
func fleetOf(clusters, each int) Report {
	var all []Release
	var of []Cluster
	for c := range clusters {
		cluster := Cluster{Name: fmt.Sprintf("prod-%03d", c), Releases: each, ByPhase: map[Phase]int{}}
		for n := range each {
			phase := phases[(c*7+n)%len(phases)]
			r := unwell(cluster.Name, fmt.Sprintf("team-%d", n%9), fmt.Sprintf("app-%03d", n), fmt.Sprintf("app 1.%d.0", c%5), "HelmRepository flux-system/charts",
				fmt.Sprintf("Helm upgrade failed for release app-%03d: timeout %d waiting for %x", n, n*c, n*7919+c*104729))
			r.Phase, r.State, r.Tier, r.Next = phase, string(phase)+": Flux has given up after 4 failed upgrades", release.Production, []string{"nothing"}
			r.Since = now.Add(-time.Duration(c*977+n*61) * time.Second).Format(time.RFC3339)
			r.Why = []incident.Line{{Label: "since", Text: r.Since + ", after: " + r.After}, {Label: "revive", Text: "once the cause is gone:"}, {Text: "flux reconcile helmrelease " + r.Name.Name + " --reset --context " + cluster.Name, Effect: "then an upgrade; risk small"}}
			r.Findings = []Finding{{Rule: "no-recovery", Severity: rules.Error, Message: "it is never tried again", Path: "spec.upgrade"}}
			cluster.ByPhase[phase]++
			all = append(all, r)
		}
		of = append(of, cluster)
	}
	r := Of(all, of, []string{})
	r.Time = now.Format(time.RFC3339)
	return r
}

// TestHTML: all that a page may show is well formed, and nothing in it is a request.
func TestHTML(t *testing.T) {
	several := fleetOf(3, 20)
	several.Problems = []string{"cluster dark: no answer"}
	several.Changes = &Changes{New: []string{"a"}}
	several.Releases[0].Rivals = []release.Name{{Namespace: "z", Name: "z"}}
	several.Releases[1].NotInGit = true
	for name, r := range map[string]Report{"several": several, "empty": Of(nil, nil, nil)} {
		if _, _, data := htmlOf(t, r); len(data.Releases) != len(r.Releases) {
			t.Errorf("%s: %d releases", name, len(data.Releases))
		}
	}
}

// TestHTMLEscapes: what a cluster says stays text.
func TestHTMLEscapes(t *testing.T) {
	const evil = `</script></style><img src=x onerror=alert(1)>"'` + "`\u2028"
	r := fleetOf(2, 6)
	for i := range r.Releases {
		r.Releases[i].Cluster, r.Releases[i].After, r.Releases[i].Chart = evil, evil, evil
	}
	r.Clusters[0].Name, r.Problems = evil, []string{evil}
	r.Causes = causes(r.Releases)
	whole, markup, _ := htmlOf(t, r)
	if strings.Contains(whole, "<img") || strings.Count(whole, "</script>") != 2 || strings.Count(whole, "</style>") != 1 || len(r.Causes) == 0 || !strings.Contains(markup, "&lt;img") {
		t.Error("text of a cluster is not escaped")
	}
}

// TestHTMLIsSmall: 10,000 releases, each with words of its own, are less than 2 MiB, and few of
// them are elements.
func TestHTMLIsSmall(t *testing.T) {
	whole, markup, data := htmlOf(t, fleetOf(1000, 10))
	if n := strings.Count(markup, "</"); len(whole) > 2<<20 || n > 10000 || len(data.Releases) != 10000 {
		t.Errorf("%d bytes, %d elements, %d releases", len(whole), n, len(data.Releases))
	}
}

// TestAges: each release that is not well is in one column, which is as high as all of it.
func TestAges(t *testing.T) {
	r := fleetOf(40, 30)
	all, dated := 0, 0
	for _, one := range r.unwell() {
		if one.Since != "" {
			dated++
		}
	}
	highest := 0.0
	for _, a := range ages(r) {
		length := 0.0
		for _, p := range a.Parts {
			length += p.Len
		}
		all, highest = all+a.N, max(highest, length)
	}
	if all != dated || highest < 99.9 || highest > 100.1 {
		t.Errorf("%d of %d releases, the highest %v", all, dated, highest)
	}
	if labels := []string{ageLabel(0), ageLabel(3), ageLabel(6)}; strings.Join(labels, ", ") != "under 5m, 1h – 6h, over 7d" {
		t.Error(labels)
	}
}
