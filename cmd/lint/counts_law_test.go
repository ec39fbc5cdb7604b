package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// TestCountsAgree: of all fleets the summary, the statistics, the JSON report and the page count the same: findings
// by severity, the places to edit, releases, and places that could not be resolved.
func TestCountsAgree(t *testing.T) {
	t.Parallel()
	fleets, err := filepath.Glob("../../testdata/fleet/*")
	if err != nil || len(fleets) == 0 {
		t.Fatal(fleets, err)
	}
	found := map[string]int{}
	for _, fleet := range append(fleets, "../../testdata/demo", "../../testdata/incident") {
		if info, err := os.Stat(fleet); err != nil || !info.IsDir() {
			continue
		}
		for name, n := range agree(t, fleet) {
			found[name] += n
		}
	}
	for _, name := range []string{"errors", "warnings", "infos", "unresolved", "releases"} {
		if found[name] == 0 {
			t.Errorf("no fleet has %s: nothing was compared", name)
		}
	}
}

var (
	summaryLine = regexp.MustCompile(`(\d+) (error|warning|info)s? in (\d+) places?`)
	releaseLine = regexp.MustCompile(`(?m)^(\d+) releases?\b(?: \((.*?)\))?`)
	unresolved  = regexp.MustCompile(`(?m)^(\d+) places? could not be resolved`)
	row         = regexp.MustCompile(`(?m)^(\d+) +(\d+) +(\d+) +(\d+) +(?:-|\d+ safe, \d+ unsafe|\d+ (?:un)?safe) +(\d+) +(\S.*)$`)
	tile        = regexp.MustCompile(`<b>(\d+)</b><span>(?:(error|warning|info)s?|(places? unresolved)|(releases?))</span>(?:<small class="soft">[^<]*judged</small>)?(?:<small class="soft">([^<]*)</small>)?`)
)

// agree compares what the outputs for a fleet count, and returns it.
func agree(t *testing.T, fleet string) map[string]int {
	lint := func(args ...string) string {
		return ended(t, nil, append([]string{"lint", fleet, "--min-severity", "info", "--all"}, args...)...)
	}
	text, statistics, page := lint(), lint("--statistics"), lint("-o", "html")
	counted := map[string]int{} // by the summary
	for _, m := range summaryLine.FindAllStringSubmatch(text, -1) {
		counted[m[2]+"s"], counted[m[2]+" places"] = number(m[1]), number(m[3])
	}
	if m := unresolved.FindStringSubmatch(text); m != nil {
		counted["unresolved"] = number(m[1])
	}
	spread := ""
	if m := releaseLine.FindStringSubmatch(text); m != nil {
		counted["releases"], spread = number(m[1]), m[2]
	}
	same := func(what, name string, got int) {
		if got != counted[name] {
			t.Errorf("%s: %s: %d %s, and %d in the summary\n%s", fleet, what, got, name, counted[name], text)
		}
	}
	var r struct{ Summary report.Summary }
	raw := lint("-o", "json")
	if err := json.Unmarshal([]byte(raw[:strings.LastIndex(raw, "}")+1]), &r); err != nil {
		t.Fatal(fleet, err, raw)
	}
	same("json", "errors", r.Summary.Errors)
	same("json", "warnings", r.Summary.Warnings)
	same("json", "infos", r.Summary.Infos)
	same("json", "releases", r.Summary.Releases)
	tiles := tile.FindAllStringSubmatch(page, -1)
	if len(tiles) != 5 {
		t.Errorf("%s: the page has %d of 5 tiles", fleet, len(tiles))
	}
	for _, m := range tiles {
		switch {
		case m[2] != "":
			same("page", m[2]+"s", number(m[1]))
		case m[3] != "":
			same("page", "unresolved", number(m[1]))
		case m[5] != "" && m[5] != spread:
			t.Errorf("%s: page: %q, and %q in the summary", fleet, m[5], spread)
		default:
			same("page", "releases", number(m[1]))
		}
	}
	byRule, byPlace, _ := strings.Cut(statistics, "RULES  PLACE")
	for i, severity := range []string{"error", "warning", "info"} {
		rules, places, sum := 0, 0, 0
		for _, m := range row.FindAllStringSubmatch(byRule, -1) {
			rules += number(m[i+1])
		}
		for _, m := range row.FindAllStringSubmatch(byPlace, -1) {
			sum += number(m[i+1])
			places += min(1, number(m[i+1]))
		}
		same("statistics by rule", severity+"s", rules)
		same("statistics by place", severity+"s", sum)
		same("statistics", severity+" places", places)
	}
	return counted
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
