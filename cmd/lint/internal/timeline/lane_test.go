package timeline

import (
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
