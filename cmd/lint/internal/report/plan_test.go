package report

import (
	"strings"
	"testing"
)

// TestPatch writes a plan with the message of a commit, and what it says on a page.
func TestPatch(t *testing.T) {
	r := New(nil, nil, nil, nil)
	r.Plan = &Plan{
		Fixed: 2,
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

re-checked 4 releases in 2 clusters: the edits change the settings of 3
---
` + string(r.Plan.Patch)
	if got := string(render(t, "patch", r, Options{})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	page := string(render(t, "markdown", r, Options{}))
	for _, text := range []string{"would be fixed", "changed too: shop/c in live", "re-checked 4 releases", "not fixed <code>d.yaml:2</code>", "```diff\n--- a/apps/a.yaml\n"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q:\n%s", text, page)
		}
	}
	if strings.Contains(page, "\x1b") || strings.Contains(page, "<repair>") {
		t.Errorf("the page steers a terminal or a browser:\n%s", page)
	}
}

// Many releases of one rule and one place are one line; those of others begin another.
func TestRepairedLines(t *testing.T) {
	of := func(rule string, names ...string) []Repaired {
		var out []Repaired
		for _, name := range names {
			out = append(out, Repaired{rule, name, []string{"live"}})
		}
		return out
	}
	for name, tc := range map[string]struct {
		all  []Repaired
		want string
	}{
		"few":       {of("r", "a", "b"), "r of a in live; r of b in live"},
		"one more":  {of("r", "a", "b", "c", "d", "e", "f"), "r of a in live; r of b in live; r of c in live; r of d in live; r of e in live; r of f in live"},
		"many":      {of("r", "a", "b", "c", "d", "e", "f", "g"), "r of a, b, c, d, e and 2 more in live"},
		"two rules": {append(of("r", "a", "b", "c", "d", "e", "f", "g"), of("s", "a", "b")...), "r of a, b, c, d, e and 2 more in live; s of a in live; s of b in live"},
		"none":      {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(repairedLines(tc.all), "; "); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}
