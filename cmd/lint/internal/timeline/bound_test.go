package timeline

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document/pagetest"
	"github.com/flux-remedy/remedy/pkg/release"
)

// TestHTMLIsBounded: the page of two thousand releases stays small, with a few kinds of
// behaviour and with one for each.
func TestHTMLIsBounded(t *testing.T) {
	for _, kinds := range []int{12, 1000} {
		all := fleet(kinds)
		var page bytes.Buffer
		if err := writeHTML(&page, all, Options{}); err != nil {
			t.Fatal(err)
		}
		text := page.String()
		if n := strings.Count(text, "</") + strings.Count(text, "/>"); len(text) > 1<<20 || n > 25000 {
			t.Errorf("%d kinds: %d bytes, %d elements", kinds, len(text), n)
		}
		if n := strings.Count(text, "<article"); n != mostCards || !strings.Contains(text, fmt.Sprintf("%d are drawn", n)) {
			t.Errorf("%d kinds: %d are drawn, and the page does not say so", kinds, n)
		}
		pagetest.Check(t, text)
	}
}

// TestComparisonIsBounded: so is what changes for two thousand releases, no two alike.
func TestComparisonIsBounded(t *testing.T) {
	before, after := fleet(1000), fleet(1000)
	for i := range after.Forecasts {
		f := &after.Forecasts[i]
		f.Outcome.Every, f.Outcome.Summary = release.Duration{Duration: f.Outcome.After.Duration}, "otherwise"
	}
	var page, comment bytes.Buffer
	all := comparisonOf(before, after)
	if err := errors.Join(compareHTML(&page, all, Options{}), compareMarkdown(&comment, all, Options{})); err != nil {
		t.Fatal(err)
	}
	if page.Len() > 1<<20 || comment.Len() > 1<<16 {
		t.Errorf("%d bytes of HTML, %d of Markdown", page.Len(), comment.Len())
	}
	pagetest.Check(t, page.String())
}

// TestNothingIsLost: each release is in each scenario, drawn or not, the first card of every
// scenario is drawn, and an ending's are its own.
func TestNothingIsLost(t *testing.T) {
	s := sheetOf(fleet(1000)).bound()
	for _, section := range s.Sections {
		if len(section.Cards) == 0 {
			t.Errorf("nothing of %s is drawn", section.Scenario)
		}
		n := 0
		for _, of := range section.Tallies() {
			n += of.Now
		}
		if n != s.Releases {
			t.Errorf("%s has %d of %d releases", section.Scenario, n, s.Releases)
		}
		for _, e := range section.Rest {
			first, last := e.Cards[0].Outcome, e.Cards[len(e.Cards)-1].Outcome
			for _, c := range e.Cards {
				o := c.Outcome
				if o.End != first.End || o.Reason != first.Reason || o.Running != first.Running || tone(o) != e.Tone() {
					t.Errorf("%s: %+v is not %s", section.Scenario, o, e.Brief())
				}
				if o.Every.Duration == 0 && (o.After.Duration < first.After.Duration || o.After.Duration > last.After.Duration) {
					t.Errorf("%s: %+v is not within %s", section.Scenario, o, e.Brief())
				}
			}
		}
	}
	if s.Drawn != mostCards {
		t.Errorf("%d are drawn", s.Drawn)
	}
}

// fleet is 2,000 releases in two clusters: 1,000 names with some kinds of behaviour.
func fleet(kinds int) Report {
	var r Report
	examples := [][]Forecast{example(true).Forecasts, example(false).Forecasts}
	for _, cluster := range []string{"east", "west"} {
		for i := range 1000 {
			for _, f := range examples[i%2] {
				f.Cluster, f.Release = cluster, release.Name{Namespace: "apps", Name: fmt.Sprintf("app-%d", i)}
				f.Outcome.After.Duration += time.Duration(i%kinds) * time.Second
				r.Forecasts = append(r.Forecasts, f)
			}
		}
	}
	return r
}
