package timeline

import (
	"slices"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast/wave"
	"github.com/flux-remedy/remedy/pkg/release"
)

// A Kustomization that is not ready only after the end of a drawing is counted, and has no empty line.
func TestLanes(t *testing.T) {
	lane := func(name string, from time.Duration) wave.Lane {
		to := release.Duration{Duration: from + time.Minute}
		return wave.Lane{Kustomization: name, Stretches: []wave.Stretch{{From: release.Duration{Duration: from}, To: to, Doing: wave.Failing}}}
	}
	f := Forecast{HoldsUp: &wave.Radius{Lanes: []wave.Lane{lane("now", 0), lane("later", time.Hour)}}}
	f.HoldsUp.For.Duration = 10 * time.Minute
	if got := f.lanes(); len(got) != 1 || got[0].Kustomization != "now" {
		t.Errorf("%+v are drawn", got)
	}
	if got := f.moreLanes(); got != "1 more Kustomization not drawn" {
		t.Errorf("%q", got)
	}
}

// What is not ready again is drawn to the end, and a health check has failed by then.
func TestOpenLanes(t *testing.T) {
	for doing, want := range map[wave.Doing][]string{wave.Blocked: {"none"}, wave.Failing: {"bad"}, wave.Checking: {"busy", "bad"}} {
		l := wave.Lane{Open: true, Stretches: []wave.Stretch{{To: release.Duration{Duration: time.Minute}, Doing: doing}}}
		var got []string
		spans := laneOf(l, 2*time.Minute).Spans
		for _, s := range spans {
			got = append(got, s.Class)
		}
		if !slices.Equal(got, want) || spans[len(spans)-1].To != 1 {
			t.Errorf("%s: %+v, want %q to the end", doing, spans, want)
		}
		l.Open = false
		if spans := laneOf(l, 2*time.Minute).Spans; len(spans) != 1 || spans[0].To != 0.5 {
			t.Errorf("%s: %+v, want half of the line", doing, spans)
		}
	}
}
