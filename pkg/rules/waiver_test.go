package rules_test

import (
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func TestDays(t *testing.T) {
	var until rules.Date
	if err := until.UnmarshalText([]byte("2026-03-01")); err != nil {
		t.Fatal(err)
	}
	for now, want := range map[string]int{
		"2026-03-01T00:00:00Z": 0, "2026-03-01T23:59:59Z": 0, "2026-02-28T23:59:59Z": 1, "2026-03-02T00:00:00Z": -1,
		"2026-03-01T23:30:00-02:00": -1, "2025-03-01T12:00:00Z": 365,
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := until.Days(at); got != want || until.Over(at) != (want < 0) {
			t.Errorf("at %s %d days are left, want %d; over %t", now, got, want, until.Over(at))
		}
	}
}

func TestWaivers(t *testing.T) {
	const entry = "spec: {waivers: {entries: [{rule: no-recovery, namespace: 'app*', name: app, until: 2030-01-31, reason: known, owner: team}]}}"
	for name, tc := range map[string]struct {
		config     string
		annotation string
		now        string
		waived     bool
		unreadable string
	}{
		"none":                   {now: "2030-01-01"},
		"annotation":             {annotation: "2030-01-31 known", now: "2030-01-01", waived: true},
		"its last day":           {annotation: "2030-01-31 known", now: "2030-01-31", waived: true},
		"expired":                {annotation: "2030-01-31 known", now: "2030-02-01"},
		"no reason":              {annotation: "2030-01-31", now: "2030-01-01", unreadable: "gives no reason"},
		"no day":                 {annotation: "known", now: "2030-01-01", unreadable: "want YYYY-MM-DD"},
		"empty":                  {annotation: " ", now: "2030-01-01", unreadable: "want YYYY-MM-DD"},
		"forbidden":              {config: "spec: {waivers: {annotations: {production: forbid}}}", annotation: "2030-01-31 known", now: "2030-01-01", unreadable: "cannot waive rules in production"},
		"forbidden elsewhere":    {config: "spec: {waivers: {annotations: {staging: forbid}}}", annotation: "2030-01-31 known", now: "2030-01-01", waived: true},
		"entry":                  {config: entry, now: "2030-01-31", waived: true},
		"entry expired":          {config: entry, now: "2030-02-01"},
		"entry of other release": {config: strings.Replace(entry, "name: app,", "name: other,", 1), now: "2030-01-01"},
	} {
		t.Run(name, func(t *testing.T) {
			release := decode(t, "v2", "", release.Controller{})
			if tc.annotation != "" {
				release.Object["metadata"].(map[string]any)["annotations"] = map[string]any{
					rules.WaiverAnnotation + "no-recovery": tc.annotation,
				}
			}
			config := parse(t, tc.config)
			verdict := evaluate(t, release, config, tc.now)
			if len(verdict.Findings) != 1 {
				t.Fatalf("findings %+v, want one", verdict.Findings)
			}
			if waived := verdict.Findings[0].Waiver != nil; waived != tc.waived {
				t.Errorf("waived %v, want %v", waived, tc.waived)
			}
			if tc.unreadable == "" != (len(verdict.WaiverErrors) == 0) {
				t.Fatalf("unreadable waivers %v, want %q", verdict.WaiverErrors, tc.unreadable)
			}
			if tc.unreadable != "" && !strings.Contains(verdict.WaiverErrors[0].Error(), tc.unreadable) {
				t.Errorf("unreadable waiver %v, want %q", verdict.WaiverErrors[0], tc.unreadable)
			}
		})
	}
}

func day(t *testing.T, s string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return d.Add(23*time.Hour + 59*time.Minute)
}
