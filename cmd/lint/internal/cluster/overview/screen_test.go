package overview

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// sick returns a report of releases that all have something, the later ones milder.
func sick(n int) Report {
	var all []Release
	for i := range n {
		one := Release{
			Subject: Subject{Name: release.Name{Namespace: "apps", Name: fmt.Sprintf("app-%02d", i)}, Tier: release.Production},
			Condition: Condition{
				Phase: phases[i*4/n], State: "stuck: Flux has given up after 4 failed upgrades (RetriesExceeded); chart version 1.0.0 runs",
				Since: "2026-01-02T03:04:05Z", Failures: 4, OldRuns: true,
			},
			Outlook:  Outlook{Next: []string{"nothing"}, Action: "flux reconcile helmrelease app -n apps --reset"},
			Findings: []Finding{{Rule: fmt.Sprintf("rule-%02d", i), Severity: rules.Error}}, Origin: Origin{NotInGit: i%5 == 0},
		}
		all = append(all, one)
	}
	return Of(all, nil, []string{})
}

// TestScreen: a terminal gets one screen with all parts, the worst first; --all gets everything.
func TestScreen(t *testing.T) {
	for _, c := range []struct{ n, width, height, most, full int }{
		{22, 80, 24, 23, 1}, {22, 120, 40, 39, 3}, {22, 200, 120, 49, 4}, {22, 80, 5, 23, 1}, {2, 200, 40, 39, 2}, {400, 80, 24, 23, 1},
	} {
		text := textOf(t, sick(c.n), document.Screen{Width: c.width, Height: c.height})
		name := fmt.Sprintf("%d at %dx%d", c.n, c.width, c.height)
		if n := (document.Screen{Width: c.width, Height: c.height}).Rows(text); n > c.most {
			t.Errorf("%s: %d lines:\n%s", name, n, text)
		}
		if n := strings.Count(text, "  since "); n < c.full {
			t.Errorf("%s: %d releases in full:\n%s", name, n, text)
		}
		for _, want := range []string{"apps/app-00 (production) is stuck", "error: rule-00", "apps/app-00 is not in the repository", fmt.Sprintf("HelmReleases: %d ", c.n)} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
		if short := strings.Contains(text, "\nshortened; --all shows everything (left out: "); short != (c.n > 2) {
			t.Errorf("%s: shortened is %t:\n%s", name, short, text)
		}
		if strings.Contains(text, "\n ...\n") {
			t.Errorf("%s: a line says nothing:\n%s", name, text)
		}
	}
	if whole := textOf(t, sick(22), document.Screen{}); strings.Count(whole, "  since ") != 22 {
		t.Errorf("a file does not get everything:\n%s", whole)
	}
}

func textOf(t *testing.T, r Report, on document.Screen) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, "text", r, on, ""); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
