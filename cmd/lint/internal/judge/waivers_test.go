package judge

import (
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func TestStateOfAWaiver(t *testing.T) {
	for _, tc := range []struct {
		now  string
		used bool
		want report.WaiverState
	}{
		{"2030-01-16", true, report.WaiverUsed},
		{"2030-01-18", true, report.WaiverExpiring},
		{"2030-01-31", true, report.WaiverExpiring},
		{"2030-02-01", true, report.WaiverExpired},
		{"2030-01-16", false, report.WaiverUnused},
		{"2030-01-31", false, report.WaiverUnused},
		{"2030-02-01", false, report.WaiverExpired},
	} {
		now, err := time.Parse(time.DateOnly, tc.now)
		if err != nil {
			t.Fatal(err)
		}
		var until rules.Date
		if err := until.UnmarshalText([]byte("2030-01-31")); err != nil {
			t.Fatal(err)
		}
		if got := stateOf(until, tc.used, now); got != tc.want {
			t.Errorf("until 2030-01-31, on %s, used %v: %s, want %s", tc.now, tc.used, got, tc.want)
		}
	}
}
