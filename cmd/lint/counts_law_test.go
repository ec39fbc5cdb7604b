package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// TestCountsAgree: of all fleets the summary, the statistics and every other format count the same: findings by
// severity, those that are waived, the places to edit, releases, and places that could not be resolved.
func TestCountsAgree(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	files := map[string]string{ // one patch decides for two releases
		"patched/clusters/production/flux-system/gotk-sync.yaml": syncOf("production"), "patched/apps/a.yaml": releaseNamed("a", ""), "patched/apps/b.yaml": releaseNamed("b", ""),
		"patched/apps/kustomization.yaml": "resources: [a.yaml, b.yaml]\npatches:\n- target: {kind: HelmRelease}\n  patch: '[{op: add, path: /spec/upgrade, value: {remediation: {retries: -1}}}]'\n",
		"waiving.yaml":                    "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec: {waivers: {entries: [{rule: unbounded-remediation, namespace: shop, name: orders, reason: it goes, until: \"2999-01-01\"}]}}\n",
		// Two Kustomizations apply one release of an overlay, one of them with a label of its own.
		"twice/clusters/production/one.yaml": syncOf("production"), "twice/apps/a.yaml": releaseNamed("a", ""),
		"twice/clusters/production/two.yaml": strings.NewReplacer("{name: production,", "{name: two,", "spec: {", "spec: {commonMetadata: {labels: {by: two}}, ").Replace(syncOf("production")),
	}
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.CopyFS(root+"/fleet", os.DirFS("../../testdata/fleet")), os.CopyFS(root+"/demo", os.DirFS("../../testdata/demo"))); err != nil {
		t.Fatal(err)
	}
	runGit(t, "init", "--quiet", root)
	runGit(t, "-C", root, "add", "--all")
	runGit(t, "-C", root, "-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "-m", "all")
	fleets, _ := filepath.Glob(root + "/fleet/*")
	found := map[string]int{}
	for _, fleet := range append(fleets, root+"/demo", root+"/twice") {
		if info, err := os.Stat(fleet); err != nil || !info.IsDir() {
			continue
		}
		for name, n := range agree(t, fleet) {
			found[name] += n
		}
	}
	for name, n := range agree(t, root+"/demo", "--config", root+"/waiving.yaml") {
		found[name] += n
	}
	if of := agree(t, root+"/patched"); of["errors"] <= of["error places"] {
		t.Errorf("no place has several errors: %v", of)
	}
	for _, name := range []string{"errors", "warnings", "infos", "waived", "unresolved", "releases"} {
		if found[name] == 0 {
			t.Errorf("no fleet has %s: nothing was compared", name)
		}
	}
}

var (
	summaryLine = regexp.MustCompile(`(\d+) (error|warning|info)s? in (\d+) places?`)
	releaseLine = regexp.MustCompile(`(?m)^(\d+) releases?\b(?: \((.*?)\))?`)
	waivedPart  = regexp.MustCompile(`, (\d+) waived`)
	unresolved  = regexp.MustCompile(`(?m)^(\d+) places? could not be resolved`)
	row         = regexp.MustCompile(`(?m)^(\d+) +(\d+) +(\d+) +(\d+) +(?:-|\d+ safe, \d+ unsafe|\d+ (?:un)?safe) +(\d+) +(\S.*)$`)
	clusterCell = regexp.MustCompile(`<td>(?:production|staging|development)</td>\s*<td class="num">(\d+)</td>`)
	tile        = regexp.MustCompile(`<b>(\d+)</b><span>(?:(error|warning|info|waived)s?|(places? unresolved)|(releases?))</span>(?:<small class="soft">[^<]*judged</small>)?(?:<small class="soft">([^<]*)</small>)?`)
)

// agree compares what the outputs for a fleet count, and returns it.
func agree(t *testing.T, fleet string, with ...string) map[string]int {
	lint := func(args ...string) string {
		return ended(t, nil, slices.Concat([]string{"lint", fleet, "--min-severity", "info", "--all"}, with, args)...)
	}
	text, statistics, page := lint(), lint("--statistics"), lint("-o", "html")
	counted := map[string]int{} // by the summary
	for _, m := range summaryLine.FindAllStringSubmatch(text, -1) {
		counted[m[2]+"s"], counted[m[2]+" places"] = number(m[1]), number(m[3])
	}
	if m := waivedPart.FindStringSubmatch(text); m != nil {
		counted["waived"] = number(m[1])
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
	var r struct {
		Summary  report.Summary
		Releases []struct{}
	}
	parse(t, lint("-o", "json"), &r)
	same("json", "releases", len(r.Releases))
	same("json", "errors", r.Summary.Errors)
	same("json", "warnings", r.Summary.Warnings)
	same("json", "infos", r.Summary.Infos)
	same("json", "waived", r.Summary.Waived)
	same("json", "releases", r.Summary.Releases)
	if heading, _, _ := strings.Cut(lint("-o", "markdown"), "\n"); !strings.Contains(text, strings.TrimPrefix(heading, "## Flux Remedy: ")+"\n") {
		t.Errorf("%s: %q is not in the summary\n%s", fleet, heading, text)
	}
	for name, n := range countsIn(lint("-o", "counts")) {
		if slices.Contains(severities, name) || name == "waived" || name == "releases" {
			same("counts", name, n)
		}
	}
	since := ended(t, nil, slices.Concat([]string{"diff", fleet, "--base", "HEAD"}, with)...)
	if m := changed.FindStringSubmatch(since); m == nil {
		t.Errorf("%s: diff counts no releases\n%s", fleet, since)
	} else {
		same("diff", "releases", number(m[2]))
		if m[3] != spread {
			t.Errorf("%s: diff: %q, and %q in the summary", fleet, m[3], spread)
		}
	}
	for name, n := range levels(t, lint("-o", "sarif")) {
		same("SARIF", name, n)
	}
	tiles := tile.FindAllStringSubmatch(page, -1)
	if len(tiles) != 6 {
		t.Errorf("%s: the page has %d of 6 tiles", fleet, len(tiles))
	}
	for _, m := range tiles {
		switch {
		case m[2] == "waived":
			same("page", "waived", number(m[1]))
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
	listed := 0
	for _, m := range clusterCell.FindAllStringSubmatch(page, -1) {
		listed += number(m[1])
	}
	same("clusters of the page", "releases", listed)
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

var severities = []string{"errors", "warnings", "infos"}

// countsIn reads the format counts.
func countsIn(text string) map[string]int {
	all := map[string]int{}
	for line := range strings.Lines(text) {
		if name, n, is := strings.Cut(strings.TrimSpace(line), "="); is {
			all[name] = number(n)
		}
	}
	return all
}

// levels counts the results of SARIF by severity.
func levels(t *testing.T, raw string) map[string]int {
	var log struct {
		Runs []struct {
			Results []struct {
				Level        string
				Suppressions []any
			}
		}
	}
	parse(t, raw, &log)
	all := map[string]int{"errors": 0, "warnings": 0, "infos": 0, "waived": 0}
	for _, run := range log.Runs {
		for _, r := range run.Results {
			if len(r.Suppressions) > 0 {
				all["waived"]++
				continue
			}
			all[map[string]string{"error": "errors", "warning": "warnings", "note": "infos"}[r.Level]]++
		}
	}
	return all
}

// parse reads the JSON before the exit code.
func parse(t *testing.T, raw string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw[:strings.LastIndex(raw, "}")+1]), into); err != nil {
		t.Fatal(err, raw)
	}
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// TestDiffCountsAgree: of a change of the demo the text, the comment, the JSON report and the counts say the same,
// and the summary counts what the changes list.
func TestDiffCountsAgree(t *testing.T) {
	demo, err := filepath.Abs("../../testdata/demo")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	write := func(edit *strings.Replacer, leave string) {
		if err := errors.Join(os.RemoveAll("demo"), os.CopyFS("demo", os.DirFS(demo)), os.RemoveAll("demo/"+cmp.Or(leave, "none"))); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob("demo/apps/*/*.yaml")
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err == nil {
				err = os.WriteFile(file, []byte(edit.Replace(string(data))), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	states := []func(){
		func() { write(strings.NewReplacer(), "") },
		func() {
			write(strings.NewReplacer("retries: -1", "retries: 3", "strategy: uninstall", "strategy: rollback"), "")
		},
		func() { write(strings.NewReplacer("retries: 3", "retries: -1"), "") },
		func() { write(strings.NewReplacer(), "clusters/production") },
	}
	runGit(t, "init", "--quiet", ".")
	found := map[string]int{}
	for _, base := range states {
		base()
		runGit(t, "add", "--all")
		runGit(t, "-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "--allow-empty", "-m", "base")
		for _, head := range states {
			head()
			for name, n := range agreeDiff(t) {
				found[name] += n
			}
		}
	}
	for _, name := range []string{"errors", "warnings", "infos", "repaired", "changed", "added", "removed"} {
		if found[name] == 0 {
			t.Errorf("no change has %s: nothing was compared", name)
		}
	}
}

var (
	added    = regexp.MustCompile(`(\d+) (error|warning|info)s? added`)
	repaired = regexp.MustCompile(`(\d+) (?:error|warning|info)s? repaired(?: in part)?`)
	changed  = regexp.MustCompile(`; (\d+) of (\d+) releases?(?: \((.*?)\))?`)
)

// agreeDiff compares what the outputs for the work tree count, and returns it.
func agreeDiff(t *testing.T) map[string]int {
	t.Helper()
	diff := func(format string) string { return ended(t, nil, "diff", "--base", "HEAD", "-o", format) }
	text, comment := diff("text"), diff("markdown")
	_, said, _ := strings.Cut(text[strings.LastIndex(text, "since HEAD: "):], ": ")
	said, _, _ = strings.Cut(said, "\n")
	verdict, tally, _ := strings.Cut(said, "; ")
	if !strings.HasPrefix(comment, "## Flux Remedy: "+verdict+"\n") || !strings.Contains(comment, ": "+tally+".\n") {
		t.Errorf("the text says %q, the comment\n%s", said, comment)
	}
	var d struct {
		Summary map[string]int
		Changes []struct{ Gained []struct{ Severity string } }
	}
	parse(t, diff("json"), &d)
	gained, all := map[string]int{}, map[string]int{}
	for _, c := range d.Changes {
		for _, f := range c.Gained {
			gained[f.Severity+"s"]++
		}
	}
	for _, m := range added.FindAllStringSubmatch(said, -1) {
		all[m[2]+"s"] = number(m[1])
	}
	for _, m := range repaired.FindAllStringSubmatch(said, -1) {
		all["repaired"] += number(m[1])
	}
	m := changed.FindStringSubmatch(said)
	all["changed"], all["releases"] = number(m[1]), number(m[2])
	counts := countsIn(diff("counts"))
	for _, name := range append([]string{"repaired", "changed", "releases"}, severities...) {
		of := d.Summary[name]
		if name == "repaired" {
			of += d.Summary["repairedInPart"]
		}
		if all[name] != of {
			t.Errorf("%d %s in the JSON report: %s", of, name, said)
		}
		if n, has := counts[name]; has && n != d.Summary[name] {
			t.Errorf("%d %s in the counts: %s", n, name, said)
		}
		if slices.Contains(severities, name) && gained[name] != all[name] {
			t.Errorf("the changes list %d %s: %s", gained[name], name, said)
		}
	}
	judged := countsIn(ended(t, nil, "lint", "-o", "counts"))["releases"]
	if n := d.Summary["releases"] - d.Summary["removed"] - d.Summary["undetermined"]; n != judged {
		t.Errorf("of %d releases of both states %d are left, and lint judges %d: %s", d.Summary["releases"], n, judged, said)
	}
	all["added"], all["removed"] = d.Summary["added"], d.Summary["removed"]
	return all
}

// TestAuditCountsAgree: of the releases of a file the text, the tables, the JSON report and its lines count the same.
func TestAuditCountsAgree(t *testing.T) {
	t.Parallel()
	type counted struct {
		Releases                        int
		ByPhase                         map[string]int
		Errors, Warnings, Infos, Waived int
	}
	audit := func(format string) string {
		return ended(t, nil, "audit", "-f", "../../testdata/incident/states.yaml", "-o", format)
	}
	listed := func(releases []auditedRelease) counted {
		c := counted{Releases: len(releases), ByPhase: map[string]int{}}
		for _, r := range releases {
			c.ByPhase[r.Phase]++
			for _, f := range r.Findings {
				switch {
				case f.Waived != nil:
					c.Waived++
				case f.Severity == "error":
					c.Errors++
				case f.Severity == "warning":
					c.Warnings++
				default:
					c.Infos++
				}
			}
		}
		return c
	}
	var whole struct {
		Summary  counted
		Releases []auditedRelease
	}
	parse(t, audit("json"), &whole)
	var lines []auditedRelease
	var last struct{ Summary counted }
	all := strings.Split(strings.TrimSpace(audit("jsonl")), "\n")
	for i, line := range all[:len(all)-1] { // without the exit code
		if i == len(all)-2 {
			parse(t, line, &last)
			break
		}
		var r auditedRelease
		parse(t, line, &r)
		lines = append(lines, r)
	}
	want := whole.Summary
	if want.Errors*want.Warnings*want.Infos == 0 || len(want.ByPhase) < 5 {
		t.Errorf("little is compared: %+v", want)
	}
	for what, got := range map[string]counted{
		"releases of the JSON report": listed(whole.Releases), "lines": listed(lines), "last line": last.Summary,
	} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, and %+v in the summary", what, got, want)
		}
	}
	var phases []string
	text := audit("text")
	line := text[strings.Index(text, "HelmReleases: "):]
	line, _, _ = strings.Cut(line, "\n")
	for phase, n := range want.ByPhase {
		phases = append(phases, fmt.Sprintf("%d %s", n, phase))
	}
	counts := fmt.Sprintf("errors: %d, warnings: %d, infos: %d", want.Errors, want.Warnings, want.Infos)
	for _, part := range append(phases, fmt.Sprintf("HelmReleases: %d (", want.Releases), counts) {
		if !strings.Contains(line, part) {
			t.Errorf("%q is not in %q", part, line)
		}
	}
	if heading, _, _ := strings.Cut(audit("markdown"), "\n"); heading != line {
		t.Errorf("%q in the tables, %q in the text", heading, line)
	}
}

type auditedRelease struct {
	Phase    string
	Findings []struct {
		Severity string
		Waived   any
	}
}
