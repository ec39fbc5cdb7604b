package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// releaseWith is apps/shop of cluster live with findings written as
// "severity rule path", with its degree and "waived" behind if so.
func releaseWith(name string, findings ...string) Judged {
	j := Judged{Release: Release{
		Name: release.Name{Namespace: "apps", Name: name}, Cluster: "live", Tier: release.Production, File: name + ".yaml", Line: 1, Class: rules.ClassViolating,
	}}
	for _, text := range findings {
		words := strings.Fields(text)
		f := Finding{
			Severity: rules.Severity(words[0]), Rule: words[1], Message: "because <of> " + words[1],
			Subject:  Subject{Release: j.Name, Tiers: []release.Tier{j.Tier}, Cluster: "live", Clusters: []string{"live"}},
			Position: Position{Path: words[2], File: j.File, Line: 3, Column: 5},
		}
		for _, word := range words[3:] {
			if word == "waived" {
				f.Waived = &rules.Waiver{Rule: f.Rule, Reason: "known"}
			} else {
				fmt.Sscan(word, &f.Degree)
			}
		}
		j.Findings = append(j.Findings, f)
	}
	return j
}

func diffOf(before, after []Judged) Diff {
	return Compare("main", Side{Releases: before}, Side{Releases: after}, false)
}

func TestFindingsGainedAndLost(t *testing.T) {
	for name, tc := range map[string]struct {
		before, after []string
		gained, lost  string
		worst         int // errors that fail the run
	}{
		"nothing":           {},
		"the same":          {before: []string{"error a p"}, after: []string{"error a p"}},
		"new":               {after: []string{"error a p"}, gained: "a", worst: 1},
		"new and waived":    {after: []string{"error a p waived"}, gained: "a"},
		"new warning":       {after: []string{"warning a p"}, gained: "a"},
		"gone":              {before: []string{"error a p"}, lost: "a"},
		"gone and waived":   {before: []string{"error a p waived"}},
		"worse":             {before: []string{"warning a p"}, after: []string{"error a p"}, gained: "a", worst: 1},
		"milder":            {before: []string{"error a p"}, after: []string{"warning a p"}},
		"worse degree":      {before: []string{"error a p 2"}, after: []string{"error a p 3"}, gained: "a", worst: 1},
		"better degree":     {before: []string{"error a p 3"}, after: []string{"error a p 2"}},
		"worse and waived":  {before: []string{"error a p 2 waived"}, after: []string{"error a p 3 waived"}},
		"milder but worse":  {before: []string{"error a p 2"}, after: []string{"warning a p 3"}, gained: "a"},
		"waived now":        {before: []string{"error a p"}, after: []string{"error a p waived"}, lost: "a"},
		"waived before":     {before: []string{"error a p waived"}, after: []string{"error a p"}, gained: "a", worst: 1},
		"waived throughout": {before: []string{"error a p waived"}, after: []string{"error a p waived"}},
		"elsewhere":         {before: []string{"error a p"}, after: []string{"error a q"}, gained: "a", lost: "a", worst: 1},
		"another rule":      {before: []string{"error a p"}, after: []string{"error b p"}, gained: "b", lost: "a", worst: 1},
	} {
		t.Run(name, func(t *testing.T) {
			d := diffOf([]Judged{releaseWith("shop", tc.before...)}, []Judged{releaseWith("shop", tc.after...)})
			var gained, lost string
			for _, c := range d.Changes {
				for _, f := range c.Gained {
					gained += f.Rule
				}
				for _, f := range c.Lost {
					lost += f.Rule
				}
			}
			if gained != tc.gained || lost != tc.lost || d.Worst(rules.Error) != tc.worst {
				t.Errorf("gained %q, lost %q, %d errors, want %q, %q, %d", gained, lost, d.Worst(rules.Error), tc.gained, tc.lost, tc.worst)
			}
		})
	}
}

func TestPairs(t *testing.T) {
	moved := releaseWith("shop", "error a p")
	moved.File = "other/shop.yaml"
	elsewhere := releaseWith("shop", "error a p")
	elsewhere.Cluster = "edge"
	unknown := releaseWith("shop")
	unknown.Class = rules.ClassUnknown
	for name, tc := range map[string]struct {
		before, after []Judged
		want          DiffSummary
	}{
		"moved": {[]Judged{releaseWith("shop", "error a p")}, []Judged{moved}, DiffSummary{Releases: 1}},
		// One with several contents is one release of the cluster.
		"twice, one gone": {[]Judged{moved, releaseWith("shop", "error a p")}, []Judged{moved}, DiffSummary{Releases: 1, Changed: 1, Lost: 1}},
		"copied":          {[]Judged{releaseWith("shop", "error a p")}, []Judged{moved, releaseWith("shop", "error a p")}, DiffSummary{Releases: 1}},
		"copied, worse":   {[]Judged{releaseWith("shop")}, []Judged{moved, releaseWith("shop")}, DiffSummary{Releases: 1, Changed: 1, Counts: rules.Counts{Errors: 1}}},
		"another cluster": {[]Judged{releaseWith("shop", "error a p")}, []Judged{elsewhere}, DiffSummary{Releases: 1, Renamed: 1}},
		"another name":    {[]Judged{releaseWith("shop")}, []Judged{releaseWith("blog")}, DiffSummary{Releases: 2, Added: 1, Removed: 1}},
		"not known now":   {[]Judged{releaseWith("shop", "error a p")}, []Judged{unknown}, DiffSummary{Releases: 1, Changed: 1}},
		"waived":          {[]Judged{releaseWith("shop", "error a p")}, []Judged{releaseWith("shop", "error a p waived")}, DiffSummary{Releases: 1, Lost: 1}},
		"known now":       {[]Judged{unknown}, []Judged{releaseWith("shop", "error a p")}, DiffSummary{Releases: 1, Changed: 1, Counts: rules.Counts{Errors: 1}, Unjudged: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := diffOf(tc.before, tc.after).Summary; got != tc.want {
				t.Errorf("%+v, want %+v", got, tc.want)
			}
		})
	}
}

// A release is followed by what it is and by what it is made of; one that may be there,
// but cannot be judged, is not taken for another.
func TestFollow(t *testing.T) {
	as := func(cluster, name, file, chart, spec string, findings ...string) Judged {
		j := releaseWith(name, findings...)
		j.Cluster, j.File, j.Chart, j.Spec = cluster, file, chart, spec
		return j
	}
	old := as("live", "shop", "shop.yaml", "web", "x", "error a p")
	other := as("live", "cart", "cart.yaml", "cart", "y", "error a p")
	down := release.Undetermined{File: "ks.yaml", Line: 1, Cluster: "live", Reason: "cannot be built"}
	for name, tc := range map[string]struct {
		after Side
		want  string // the releases now with what they were, and those that are gone
	}{
		"cluster":              {Side{Releases: []Judged{as("edge", "shop", "shop.yaml", "web", "x"), as("edge", "cart", "cart.yaml", "cart", "y")}}, "live/apps/shop>edge/apps/shop live/apps/cart>edge/apps/cart"},
		"cluster and file":     {Side{Releases: []Judged{as("edge", "shop", "b/shop.yaml", "web", "z"), as("edge", "cart", "b/cart.yaml", "cart", "y")}}, "live/apps/shop>edge/apps/shop live/apps/cart>edge/apps/cart"},
		"little in common":     {Side{Releases: []Judged{as("edge", "a", "a.yaml", "a", "a"), as("edge", "b", "b.yaml", "b", "b"), as("edge", "c", "c.yaml", "c", "c")}}, ">edge/apps/a >edge/apps/b >edge/apps/c live/apps/shop> live/apps/cart>"},
		"name in its file":     {Side{Releases: []Judged{as("live", "store", "shop.yaml", "web", "z"), other}}, "live/apps/shop>live/apps/store ="},
		"another chart there":  {Side{Releases: []Judged{as("live", "store", "shop.yaml", "db", "z"), other}}, ">live/apps/store = live/apps/shop>"},
		"the same content":     {Side{Releases: []Judged{as("live", "store", "b.yaml", "web", "x"), other}}, "live/apps/shop>live/apps/store ="},
		"other content":        {Side{Releases: []Judged{as("live", "store", "b.yaml", "web", "z"), other}}, ">live/apps/store = live/apps/shop>"},
		"may be there still":   {Side{Releases: []Judged{as("live", "store", "shop.yaml", "web", "x")}, Undetermined: []release.Undetermined{down}}, ">live/apps/store live/apps/shop> live/apps/cart>"},
		"cluster cannot be":    {Side{Releases: []Judged{as("edge", "shop", "shop.yaml", "web", "x")}, Undetermined: []release.Undetermined{down}}, ">edge/apps/shop live/apps/shop> live/apps/cart>"},
		"one of two clusters":  {Side{Releases: []Judged{old, other, as("edge", "shop", "shop.yaml", "web", "x")}}, "= = >edge/apps/shop"},
		"split in its file":    {Side{Releases: []Judged{as("live", "a", "shop.yaml", "web", "x"), as("live", "b", "shop.yaml", "web", "x"), other}}, "live/apps/shop>live/apps/a >live/apps/b ="},
		"namespace and chart":  {Side{Releases: []Judged{func() Judged { j := as("live", "shop", "shop.yaml", "db", "z"); j.Namespace = "web"; return j }(), other}}, "live/apps/shop>live/web/shop ="},
		"namespace and folder": {Side{Releases: []Judged{func() Judged { j := as("live", "shop", "b.yaml", "web", "z"); j.Namespace = "web"; return j }(), other}}, "live/apps/shop>live/web/shop ="},
	} {
		t.Run(name, func(t *testing.T) {
			before := Side{Releases: []Judged{old, other}}
			var got []string
			for _, p := range pairs(before, tc.after, renamedClusters(before, tc.after), gapsOf(before, tc.after), gapsOf(tc.after, before)) {
				is := func(j *Judged) string {
					if j == nil {
						return ""
					}
					return j.Cluster + "/" + j.Name.String()
				}
				if is(p.before) == is(p.after) {
					got = append(got, "=")
				} else {
					got = append(got, is(p.before)+">"+is(p.after))
				}
			}
			if got := strings.Join(got, " "); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// What a new release has by a cause that was there, and made what is as bad, is set apart.
func TestInherited(t *testing.T) {
	by := func(j Judged, field string, degree float64) Judged {
		for i := range j.Findings {
			j.Findings[i].File, j.Findings[i].Field, j.Findings[i].Degree = "ks.yaml", field, degree
		}
		return j
	}
	named := func(j Judged, name string) Judged {
		j.Name.Name = name
		return j
	}
	for name, tc := range map[string]struct {
		before, after []Judged
		want          string
	}{
		"new release":         {[]Judged{by(releaseWith("a", "error r p"), "patch", 2)}, []Judged{by(releaseWith("a", "error r p"), "patch", 2), by(releaseWith("b", "error r p"), "patch", 2)}, "inherited 1, errors 0"},
		"another field":       {[]Judged{by(releaseWith("a", "error r p"), "patch", 2)}, []Judged{by(releaseWith("b", "error r p"), "other", 2)}, "inherited 0, errors 1"},
		"another rule":        {[]Judged{by(releaseWith("a", "error q p"), "patch", 2)}, []Judged{by(releaseWith("b", "error r p"), "patch", 2)}, "inherited 0, errors 1"},
		"no field":            {[]Judged{by(releaseWith("a", "error r p"), "", 2)}, []Judged{by(releaseWith("b", "error r p"), "", 2)}, "inherited 0, errors 1"},
		"worse degree":        {[]Judged{by(releaseWith("a", "error r p"), "patch", 2)}, []Judged{by(releaseWith("b", "error r p"), "patch", 3)}, "inherited 0, errors 1"},
		"worse severity":      {[]Judged{by(releaseWith("a", "warning r p"), "patch", 2)}, []Judged{by(releaseWith("b", "error r p"), "patch", 2)}, "inherited 0, errors 1"},
		"degree of a warning": {[]Judged{by(releaseWith("a", "warning r p"), "patch", 9), by(releaseWith("c", "error r p"), "patch", 2)}, []Judged{by(releaseWith("b", "error r p"), "patch", 3)}, "inherited 0, errors 1"},
		"waived before":       {[]Judged{by(releaseWith("a", "error r p waived"), "patch", 2)}, []Judged{by(releaseWith("b", "error r p"), "patch", 2)}, "inherited 0, errors 1"},
		"in place of a good":  {[]Judged{by(releaseWith("a", "error r p"), "patch", 2), releaseWith("b")}, []Judged{by(releaseWith("a", "error r p"), "patch", 2), by(named(releaseWith("b", "error r p"), "c"), "patch", 2)}, "inherited 0, errors 1"},
		"beside a good one":   {[]Judged{by(releaseWith("a", "error r p"), "patch", 2), releaseWith("b")}, []Judged{releaseWith("b"), by(named(releaseWith("b", "error r p"), "c"), "patch", 2)}, "inherited 1, errors 0"},
		"it was good":         {[]Judged{by(releaseWith("a", "error r p"), "patch", 2), releaseWith("b")}, []Judged{by(releaseWith("b", "error r p"), "patch", 2)}, "inherited 0, errors 1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := diffOf(tc.before, tc.after).Summary
			if got := fmt.Sprintf("inherited %d, errors %d", s.Inherited, s.Errors); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			s = Compare("main", Side{Releases: tc.before}, Side{Releases: tc.after}, true).Summary
			if s.Inherited != 0 || s.Errors != 1 {
				t.Errorf("charged: %+v, want 1 error", s)
			}
		})
	}
}

// What a release has that could not be judged is inherited only if what makes it stood before.
func TestInheritedOfUnknown(t *testing.T) {
	unknown := []release.Undetermined{{File: "ks.yaml", Cluster: "live", Reason: "r"}}
	is := []Judged{releaseWith("a", "error old p", "error new p", "error waved p waived")}
	stood := func(f Finding) bool { return f.Rule != "new" }
	for name, tc := range map[string]struct {
		before Side
		want   string
	}{
		"some stood":   {Side{Undetermined: unknown, Stood: stood}, "inherited 1, errors 1"},
		"not known":    {Side{Undetermined: unknown}, "inherited 0, errors 2"},
		"it is new":    {Side{Stood: stood}, "inherited 0, errors 2"},
		"it was known": {Side{Releases: []Judged{releaseWith("a")}, Undetermined: unknown, Stood: stood}, "inherited 0, errors 2"},
	} {
		t.Run(name, func(t *testing.T) {
			s := Compare("main", tc.before, Side{Releases: is}, false).Summary
			if got := fmt.Sprintf("inherited %d, errors %d", s.Inherited, s.Errors); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// Remarks that held before are not repeated where nothing has changed.
func TestRemarksOfNoChange(t *testing.T) {
	assumed, good := releaseWith("a"), releaseWith("b")
	assumed.TierIgnored = "it is a marker"
	for name, tc := range map[string]struct {
		before, after []Judged
		want          int
	}{
		"nothing has":   {[]Judged{assumed}, []Judged{assumed}, 0},
		"another has":   {[]Judged{assumed, good}, []Judged{assumed, releaseWith("b", "error r p")}, 1},
		"it is the new": {[]Judged{good}, []Judged{good, assumed}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := diffOf(tc.before, tc.after).Remarks; len(got) != tc.want {
				t.Errorf("remarks %q, want %d", got, tc.want)
			}
		})
	}
}

func TestNewlyUndetermined(t *testing.T) {
	old := release.Undetermined{File: "a.yaml", Line: 3, Release: "apps/shop", Reason: "unknown"}
	down, other := old, old
	down.Line, other.Reason = 30, "another reason"
	d := Compare("main", Side{Undetermined: []release.Undetermined{old}}, Side{Undetermined: []release.Undetermined{down, other}}, false)
	if !slices.Equal(d.Undetermined, []release.Undetermined{other}) {
		t.Errorf("newly undetermined: %+v", d.Undetermined)
	}
}

// A release of which nothing could be judged is one in both states, wherever its document is.
func TestCountsUndeterminedOnce(t *testing.T) {
	old := release.Undetermined{File: "a.yaml", Line: 3, Release: "apps/shop", Reason: "unknown"}
	moved, copied := old, old
	moved.File, copied.File = "b.yaml", "c.yaml"
	for want, after := range map[int][]release.Undetermined{1: {moved}, 2: {moved, copied, copied}} {
		if d := Compare("main", Side{Undetermined: []release.Undetermined{old}}, Side{Undetermined: after}, false); d.Summary.Releases != want {
			t.Errorf("%d releases, want %d", d.Summary.Releases, want)
		}
	}
}

// What was as unknown before is not new; each thing that is gone has one in its place.
func TestAsUnknown(t *testing.T) {
	remote := func(cluster, file, version string) release.Undetermined {
		return release.Undetermined{File: file, Cluster: cluster, Reason: "https://example.com/x/" + version + "/crds.yaml is not in the tree"}
	}
	broken := func(name, why, source string) release.Undetermined {
		return release.Undetermined{File: "ks.yaml", Cluster: "live", Reason: "Kustomization x/" + name + notBuilt + ": " + why, Source: source}
	}
	behind := func(u release.Undetermined, name string) release.Undetermined {
		reason, _, _ := strings.Cut(u.Reason, ": ")
		return release.Undetermined{File: name + ".yaml", Cluster: u.Cluster, Release: "apps/" + name, Reason: reason}
	}
	for name, tc := range map[string]struct {
		before, after []release.Undetermined
		want          int
	}{
		"another version":     {[]release.Undetermined{remote("live", "a", "v1")}, []release.Undetermined{remote("live", "b", "v2")}, 0},
		"of another release":  {[]release.Undetermined{remote("live", "a", "v1")}, []release.Undetermined{{File: "a", Cluster: "live", Release: "x/a", Reason: remote("", "", "v2").Reason}}, 1},
		"of another cluster":  {[]release.Undetermined{remote("live", "a", "v1")}, []release.Undetermined{remote("edge", "a", "v2")}, 1},
		"another folder":      {[]release.Undetermined{remote("", "a/k.yaml", "v1")}, []release.Undetermined{remote("", "b/k.yaml", "v2")}, 0},
		"another file":        {[]release.Undetermined{remote("", "a/k.yaml", "v1")}, []release.Undetermined{remote("", "a/l.yaml", "v2")}, 1},
		"two for one":         {[]release.Undetermined{remote("live", "a", "v1")}, []release.Undetermined{remote("live", "a", "v2"), remote("live", "b", "v3")}, 1},
		"one beside another":  {[]release.Undetermined{remote("live", "a", "v1")}, []release.Undetermined{remote("live", "a", "v1"), remote("live", "a", "v2")}, 1},
		"another reason":      {[]release.Undetermined{broken("a", "no x", "")}, []release.Undetermined{broken("a", "no y", "")}, 0},
		"another name":        {[]release.Undetermined{broken("a", "no x", "")}, []release.Undetermined{broken("b", "no x", "")}, 0},
		"name and reason":     {[]release.Undetermined{broken("a", "no x", "")}, []release.Undetermined{broken("b", "no y", "")}, 1},
		"name, of a source":   {[]release.Undetermined{broken("a", "no x", "s")}, []release.Undetermined{broken("b", "no x", "s")}, 1},
		"new in a broken one": {[]release.Undetermined{broken("a", "no x", "")}, []release.Undetermined{broken("a", "no x", ""), behind(broken("a", "", ""), "shop")}, 0},
		"new in another one":  {[]release.Undetermined{broken("a", "no x", "")}, []release.Undetermined{broken("a", "no x", ""), behind(broken("b", "", ""), "shop")}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := newlyUndetermined(tc.before, tc.after); len(got) != tc.want {
				t.Errorf("%d are new, want %d: %+v", len(got), tc.want, got)
			}
		})
	}
}

// What is not known of a cluster that has another name now was not known before.
func TestUnknownOfARenamedCluster(t *testing.T) {
	side := func(cluster string, unknown ...string) Side {
		j := releaseWith("shop")
		j.Cluster = cluster
		s := Side{Releases: []Judged{j}}
		for _, reason := range unknown {
			s.Undetermined = append(s.Undetermined, release.Undetermined{File: "kustomization.yaml", Cluster: cluster, Reason: reason})
		}
		s.Unapplied = slices.Clone(s.Undetermined)
		return s
	}
	before := side("old", "no x")
	for n, after := range []Side{side("new", "no x"), side("new", "no x", "no y")} {
		if d := Compare("main", before, after, false); len(d.Undetermined) != n || len(d.Unapplied) != n {
			t.Errorf("newly undetermined %+v, unapplied %+v, want %d", d.Undetermined, d.Unapplied, n)
		}
	}
	before.Releases = append(before.Releases, releaseWith("gone"))
	before.Releases[1].Cluster = "old"
	if d := Compare("main", before, side("new", "no x"), false); d.Summary.Removed != 1 {
		t.Errorf("a release that is gone: %+v", d.Summary)
	}
}

// A build that breaks is said once, with what is at fault: neither for each document behind it, nor
// without a reason for the releases of a cluster in which something above it is broken.
func TestOneCauseIsOneLine(t *testing.T) {
	other := releaseWith("blog")
	other.Cluster = "edge"
	broken := []release.Undetermined{
		{File: "a.yaml", Release: "shop", Reason: "Kustomization flux-system/apps cannot be built"},
		{File: "a.yaml", Release: "apps/blog", Reason: "Kustomization flux-system/apps cannot be built"},
		{File: "clusters/edge.yaml", Cluster: "edge", Reason: "Kustomization flux-system/flux-system cannot be built: no y"},
		{File: "clusters/live.yaml", Cluster: "live", Reason: "Kustomization flux-system/apps cannot be built: no x"},
	}
	d := Compare("main", Side{Releases: []Judged{releaseWith("shop"), other}}, Side{Undetermined: broken}, false)
	if lines := d.asides(); len(lines) > 0 {
		t.Errorf("said beside the releases: %+v", lines)
	}
	for _, c := range d.Changes {
		if c.Unknown == nil || !strings.Contains(c.Unknown.Reason, "built: no ") {
			t.Errorf("%s in %s: %+v", c.Name, c.Cluster, c.Unknown)
		}
	}
}

// A release that was judged before is gone only if nothing can hide it.
func TestGoneOrUndetermined(t *testing.T) {
	was := releaseWith("shop", "error a p")
	unknown := was
	unknown.Class, unknown.Findings = rules.ClassUnknown, nil
	gap := func(of release.Undetermined) Side { return Side{Undetermined: []release.Undetermined{of}} }
	for name, tc := range map[string]struct {
		after Side
		want  string
		fails bool // without --strict
	}{
		"gone":             {want: "gone from production, was class violating"},
		"named":            {after: gap(release.Undetermined{File: "x", Release: "apps/shop", Reason: "r"}), want: "no longer determined", fails: true},
		"another named":    {after: gap(release.Undetermined{File: "x", Release: "apps/blog", Reason: "r"}), want: "gone", fails: true},
		"its cluster":      {after: gap(release.Undetermined{File: "x", Cluster: "live", Reason: "r"}), want: "no longer determined", fails: true},
		"a new cluster":    {after: gap(release.Undetermined{File: "x", Cluster: "new", Reason: "r"}), want: "no longer determined", fails: true},
		"its file":         {after: gap(release.Undetermined{File: "shop.yaml", Reason: "r"}), want: "no longer determined", fails: true},
		"another file":     {after: gap(release.Undetermined{File: "x", Reason: "r"}), want: "gone", fails: true},
		"a milder place":   {after: gap(release.Undetermined{File: "x", Cluster: "live", Tier: release.Staging, Reason: "r"}), want: "no longer determined", fails: true},
		"elsewhere, mild":  {after: gap(release.Undetermined{File: "x", Tier: release.Staging, Reason: "r"}), want: "gone"},
		"accepted":         {after: gap(release.Undetermined{File: "x", Cluster: "live", Reason: "r", Accepted: "until"}), want: "no longer determined"},
		"a broken file":    {after: Side{Problems: []Problem{{File: "shop.yaml", Message: "m"}}}, want: "no longer determined", fails: true},
		"a broken other":   {after: Side{Problems: []Problem{{File: "x", Message: "m"}}}, want: "gone"},
		"unknown settings": {after: Side{Releases: []Judged{unknown}, Undetermined: gap(release.Undetermined{File: "x", Cluster: "live", Release: "apps/shop", Reason: "r"}).Undetermined}, want: "no longer determined", fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := Compare("main", Side{Releases: []Judged{was}}, tc.after, false)
			if len(d.Changes) != 1 || !strings.HasPrefix(d.Changes[0].headline(), tc.want) {
				t.Fatalf("%+v, want %q", d.Changes, tc.want)
			}
			if got := d.Undecided(false); got != "" != tc.fails {
				t.Errorf("fails by %q, want %v", got, tc.fails)
			}
			hidden := strings.HasPrefix(tc.want, "no longer")
			if hidden != (d.Summary.Undetermined == 1) || hidden == (d.Summary.Removed == 1) || hidden == (d.Summary.Lost == 1) {
				t.Errorf("summary %+v", d.Summary)
			}
			back := Compare("main", tc.after, Side{Releases: []Judged{was}}, false)
			if hidden != (back.Summary.Unjudged == 1) || hidden == (back.Summary.Added == 1) {
				t.Errorf("the other way round: summary %+v", back.Summary)
			}
		})
	}
}

// patched is a patch that makes many releases worse in one way.
func patched(releases int) Diff {
	var before, after []Judged
	for i := range releases {
		name := fmt.Sprintf("shop-%d", i)
		now := releaseWith(name, "error no-recovery spec.upgrade")
		now.Findings[0].File = "clusters/live/apps.yaml"
		now.Findings[0].Provenance = []Place{{"clusters/live/apps.yaml", 3, "patch 1 of Kustomization flux-system/apps"}}
		was := releaseWith(name, "error b p")
		was.Class = rules.ClassRetry
		before, after = append(before, was), append(after, now)
	}
	return diffOf(before, after)
}

func renderDiff(t *testing.T, format string, d Diff) string {
	t.Helper()
	var b bytes.Buffer
	if err := formatNamed(t, format).WriteDiff(&b, d, Options{}); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
}

// A changed patch is told once, and names every release that it concerns.
func TestDiffNamesWhatAPatchConcerns(t *testing.T) {
	d := patched(40)
	text, comment := renderDiff(t, "text", d), renderDiff(t, "markdown", d)
	for i := range 40 {
		name := regexp.MustCompile(fmt.Sprintf(`shop-%d( in cluster "live":?|,)`, i)) // the last has the cluster
		if !name.MatchString(text) || !name.MatchString(comment) {
			t.Errorf("shop-%d is not named", i)
		}
	}
	for what, want := range map[string]string{
		"text":         "  + error no-recovery: because <of> no-recovery\n    at clusters/live/apps.yaml:3:5 (patch 1 of Kustomization flux-system/apps)\n  - error b\n  releases: apps/shop-0, apps/shop-1, apps/shop-10, ",
		"text's title": "apps/shop-0, apps/shop-1, apps/shop-10 in cluster \"live\" and 37 more releases: class retry, now violating\n",
		"markdown":     "| apps/shop-0 in cluster \"live\"<br>apps/shop-1 in cluster \"live\"<br>apps/shop-10 in cluster \"live\"<br>and 37 more | class retry, now violating | error <code>no-recovery</code> | error <code>b</code> |\n",
		"github":       "::error file=clusters/live/apps.yaml,line=3,col=5,title=because <of> no-recovery [no-recovery]::because <of> no-recovery%0Aset by patch 1 of Kustomization flux-system/apps, clusters/live/apps.yaml:3%0A",
	} {
		format, _, _ := strings.Cut(what, "'")
		if got := renderDiff(t, format, d); strings.Count(got, want) != 1 {
			t.Errorf("%s: want once %q in:\n%s", what, want, got)
		}
	}
}

// What is new, worse or no longer waived is a result that says so, what is gone
// is none.
func TestDiffSARIF(t *testing.T) {
	before := []Judged{releaseWith("shop", "warning worse p", "error unwaived p waived", "error same p", "error gone p")}
	after := []Judged{releaseWith("shop", "error worse p", "error unwaived p", "error same p", "error new p", "error accepted p waived")}
	var log sarifLog
	if err := json.Unmarshal([]byte(renderDiff(t, "sarif", diffOf(before, after))), &log); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, result := range log.Runs[0].Results {
		got[result.RuleID] = result.Baseline
		if (len(result.Suppressions) > 0) != (result.RuleID == "accepted") {
			t.Errorf("%s has the suppressions %v", result.RuleID, result.Suppressions)
		}
	}
	if want := map[string]string{"worse": "updated", "unwaived": "updated", "new": "new", "accepted": "new"}; !maps.Equal(got, want) {
		t.Errorf("results %v, want %v", got, want)
	}
}

// A finding that is worse is not told as a new one.
func TestDiffTellsWorseFromNew(t *testing.T) {
	d := diffOf([]Judged{releaseWith("shop", "warning worse p")}, []Judged{releaseWith("shop", "error worse p")})
	for format, want := range map[string]string{"text": "  + error (was warning) worse: ", "markdown": "- **warning, now error** <code>worse</code>: "} {
		if got := renderDiff(t, format, d); !strings.Contains(got, want) {
			t.Errorf("%s: want %q in:\n%s", format, want, got)
		}
	}
}

// What there is no more to say about has a row in the table, and nothing to unfold.
func TestDiffMarkdownOfARemovedRelease(t *testing.T) {
	got := renderDiff(t, "markdown", diffOf([]Judged{releaseWith("shop")}, nil))
	if !strings.Contains(got, "| apps/shop in cluster \"live\" | gone from production, was class violating |") || strings.Contains(got, "<details>") {
		t.Errorf("got:\n%s", got)
	}
}

func TestDiffMinSeverity(t *testing.T) {
	d := diffOf([]Judged{releaseWith("shop"), releaseWith("blog", "info old p")}, []Judged{releaseWith("shop", "error bad p", "info mild p"), releaseWith("blog", "info other p")})
	for _, f := range DiffFormats() {
		var b bytes.Buffer
		if err := f.WriteDiff(&b, d, Options{MinSeverity: rules.Warning}); err != nil {
			t.Fatal(err)
		}
		format := f.Name
		if format == "counts" { // it lists nothing: TestCounts
			continue
		}
		got, all := b.String(), f.Whole
		if !strings.Contains(got, "bad") || strings.Contains(got, "<of> mild") != all || strings.Contains(got, "blog") != all {
			t.Errorf("%s: whole %t:\n%s", format, all, got)
		}
		if want := map[string]string{"text": "2 infos and 1 lost info hidden", "markdown": "Not listed here: 2 infos and 1 lost info."}[format]; !strings.Contains(got, want) {
			t.Errorf("%s does not say that it hides something:\n%s", format, got)
		}
	}
}

// Changes that are told in the same words are told once.
func TestDiffFoldsWhatIsToldAlike(t *testing.T) {
	d := patched(2)
	for i, after := range []string{"in 5m", "in 20m"} {
		d.Changes[i].Forecasts = []ForecastChange{
			{Scenario: "upgrade-fails", Before: "it is Ready", After: "it is Stalled", Trend: Worse},
			{Scenario: "outage", Before: "it is Ready", After: "it is Stalled " + after, Trend: Worse},
		}
	}
	if got := renderDiff(t, "text", d); strings.Count(got, "was: it is Ready") != 1 {
		t.Errorf("got\n%s", got)
	}
	d.Changes[0].Forecasts[0].After = "it is Retrying"
	if got := renderDiff(t, "text", d); strings.Count(got, "was: it is Ready") != 2 {
		t.Errorf("got\n%s", got)
	}
}

// A comment that GitHub would refuse is cut, and says so.
func TestDiffMarkdownFitsInAComment(t *testing.T) {
	var before, after []Judged
	for i := range 900 {
		name := fmt.Sprintf("sh%cp-%d", 'ö', i)
		before, after = append(before, releaseWith(name)), append(after, releaseWith(name, fmt.Sprintf("error rule-%d spec.path", i)))
	}
	got := renderDiff(t, "markdown", diffOf(before, after))
	if n := utf8.RuneCountInString(got); n > commentLimit || n < commentLimit-1000 {
		t.Errorf("%d characters, want nearly %d", n, commentLimit)
	}
	if !strings.Contains(got, "900 errors added") || !strings.Contains(got, " more parts left out") {
		t.Errorf("the cut is not told: %s ... %s", got[:100], got[len(got)-200:])
	}
}

func TestDiffJSONMatchesItsSchema(t *testing.T) {
	schema := strict(t, "diff")
	full := patched(2)
	full.Changes[0].Forecasts = []ForecastChange{{Scenario: "upgrade-fails", Before: "it is Ready", After: "it is Stalled", Trend: Worse}}
	full.BaseProblems = []Problem{{File: "broken.yaml", Message: "odd"}}
	full.Undetermined = []release.Undetermined{{File: "a.yaml", Line: 1, Release: "apps/shop", Reason: "unknown"}}
	for name, d := range map[string]Diff{"full": full, "empty": diffOf(nil, nil), "new": diffOf(nil, []Judged{releaseWith("shop")})} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(renderDiff(t, "json", d)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if schema.Validate(map[string]any{"apiVersion": "other/v1"}) == nil {
		t.Error("the schema accepts anything")
	}
}

func TestForecastsThatAreTold(t *testing.T) {
	change := func(scenario string, trend Trend) ForecastChange {
		return ForecastChange{Scenario: scenario, Before: "a", After: "b", Trend: trend}
	}
	for name, tc := range map[string]struct {
		changes []ForecastChange
		full    string
		rest    []string
	}{
		"none":          {},
		"plain failure": {[]ForecastChange{change("x", Better), change("upgrade-fails", Other), change("y", Worse)}, "upgrade-fails", []string{"needs a human now in y", "no longer needs a human in x"}},
		"others only":   {[]ForecastChange{change("x", Better), change("y", Other), change("z", Other)}, "y", []string{"1 more scenario ends differently", "no longer needs a human in x"}},
	} {
		t.Run(name, func(t *testing.T) {
			full, rest := inFull(tc.changes)
			var names []string
			for _, f := range full {
				names = append(names, f.Scenario)
			}
			if strings.Join(names, " ") != tc.full || !slices.Equal(rest, tc.rest) {
				t.Errorf("told %v, rest %q", names, rest)
			}
		})
	}
}

// A comment says first what got better, shows what is new with its repair, a waiver and the
// page of the rule, and takes no info into its title.
func TestDiffComment(t *testing.T) {
	d := diffOf([]Judged{releaseWith("shop", "error old p")}, []Judged{releaseWith("shop", "warning new q", "info mild r")})
	d.Changes[0].Gained[0].Remedy = &Remedy{Kind: "safe", Lines: []string{"spec:", "  timeout: 5m"}}
	opts := Options{
		Rules:   []rules.Rule{{ID: "new", Title: "A new fault"}, {ID: "old", Title: "An old fault"}},
		RuleURL: func(r rules.Rule) string { return "https://example.com/" + r.ID },
	}
	var b strings.Builder
	if err := formatNamed(t, "markdown").WriteDiff(&b, d, opts); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{
		"## Flux Remedy: 1 error repaired, 1 warning added, 1 info added\n",
		"- 1 error repaired: An old fault <code>old</code>, of apps/shop (tier production, cluster \"live\")\n",
		"<details open><summary><b>warning</b> A new fault",
		"```yaml\nspec:\n  timeout: 5m\n```",
		"[new](https://example.com/new)",
		"waive.flux-remedy.io/new: \"YYYY-MM-DD the reason\"",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in:\n%s", want, got)
		}
	}
	if better, worse := strings.Index(got, "### Better"), strings.Index(got, "### New or worse"); better > worse {
		t.Errorf("what is worse comes first:\n%s", got)
	}
}

// A finding that is traded for one that is as bad is gone, but nothing is repaired.
func TestTradedIsNotRepaired(t *testing.T) {
	warning, err := Finding{Rule: "a", Severity: rules.Warning}, Finding{Rule: "b", Severity: rules.Error}
	waived := err
	waived.Waived = &rules.Waiver{}
	elsewhere := waived
	elsewhere.Path = "spec.upgrade"
	for _, tc := range []struct {
		gained, lost []Finding
		repaired     int
	}{
		{nil, []Finding{warning}, 1},
		{[]Finding{warning}, []Finding{err}, 1},
		{[]Finding{err}, []Finding{warning}, 0},
		{[]Finding{waived}, []Finding{warning}, 0},
		{[]Finding{elsewhere}, []Finding{warning}, 1},
	} {
		c := Change{Before: &State{}, After: &State{}, Gained: tc.gained, Lost: tc.lost}
		if n := len(c.repairs()); n != tc.repaired {
			t.Errorf("%v for %v: %d repaired, want %d", tc.lost, tc.gained, n, tc.repaired)
		}
	}
}
