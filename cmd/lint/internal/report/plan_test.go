package report

import (
	"strings"
	"testing"
)

// TestPatch writes a plan with the message of a commit, and what it says on a page.
func TestPatch(t *testing.T) {
	r := New(nil, nil, nil, nil)
	r.Plan = &Plan{
		Repairs: []Repair{{
			Edits:    []PlannedEdit{{File: "apps/a.yaml", Field: "spec.install", Value: "x"}},
			Repairs:  []Repaired{{"no-recovery", "shop/a", []string{"live", "edge"}}, {"no-recovery", "shop/b", nil}},
			Also:     []Repaired{{"", "shop/c", []string{"live"}}},
			Scenario: "upgrade-fails", Before: "it is Stalled", After: "it is tried again",
		}},
		Left:    []Unrepaired{{Repaired: Repaired{"slow", "shop/\x1bd", nil}, File: "d.yaml", Line: 2, Reason: "no <repair>"}},
		Checked: Checked{Releases: 4, Unchanged: 1, Clusters: []string{"edge", "live"}},
		Patch:   "--- a/apps/a.yaml\n+++ b/apps/a.yaml\n@@ -1,1 +1,1 @@\n-a\n+b\n",
	}
	want := `From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001
From: flux-remedy <flux-remedy@localhost>
Subject: [PATCH] Repair 2 findings of HelmReleases

* no-recovery of shop/a in live, edge
* no-recovery of shop/b
  Scenario upgrade-fails: it is tried again. Before: it is Stalled.

checked against 4 releases in 2 clusters; 1 keep all their settings
---
` + string(r.Plan.Patch)
	if got := string(render(t, "patch", r, Options{})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	page := string(render(t, "markdown", r, Options{}))
	for _, text := range []string{"would be fixed", "changed too: shop/c in live", "checked against 4 releases", "not fixed <code>d.yaml:2</code>", "```diff\n--- a/apps/a.yaml\n"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q:\n%s", text, page)
		}
	}
	if strings.Contains(page, "\x1b") || strings.Contains(page, "<repair>") {
		t.Errorf("the page steers a terminal or a browser:\n%s", page)
	}
}
