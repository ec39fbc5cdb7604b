package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func formatNamed(t *testing.T, name string) Format {
	t.Helper()
	i := slices.IndexFunc(Formats(), func(f Format) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("there is no format %s", name)
	}
	return Formats()[i]
}

func render(t *testing.T, format string, r Report, opts Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := formatNamed(t, format).Write(&b, r, opts); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.Bytes()
}

// TestFormats compares each format with what has been looked at before, but for
// the page, most of which is style and script, and the patch, which TestPatch writes.
func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		format := f.Name
		if format == "html" || format == "patch" {
			continue
		}
		t.Run(format, func(t *testing.T) {
			got := render(t, format, sample(t), sampleOptions())
			golden := filepath.Join("testdata", "sample."+format)
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("differs from %s:\n%s", golden, got)
			}
			if again := render(t, format, sample(t), sampleOptions()); !bytes.Equal(got, again) {
				t.Error("not the same bytes a second time")
			}
		})
	}
}

func TestFormatsOfAnEmptyReport(t *testing.T) {
	empty := New(nil, nil, nil, nil)
	wants := map[string]string{
		"text": "0 releases", "compact": "", "patch": "", "github": "", "gitlab": "[]", "json": `"findings": []`,
		"sarif": `"results": []`, "junit": `tests="0"`, "markdown": "no findings", "html": "0 errors", "counts": "errors=0\nwarnings=0\n",
	}
	for _, f := range Formats() {
		want, ok := wants[f.Name]
		if !ok {
			t.Errorf("wants has no row for %s", f.Name)
		}
		if got := string(render(t, f.Name, empty, Options{})); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", f.Name, got, want)
		}
	}
}

// A format that lists findings also lists what is undetermined and what cannot be read, and marks
// what is waived.
func TestFormatsAreNotSilent(t *testing.T) {
	for _, f := range Formats() {
		if f.Name == "counts" || f.Name == "patch" { // they list nothing
			continue
		}
		out := string(render(t, f.Name, sample(t), Options{}))
		if f.Name == "html" {
			_, markup, data := htmlOf(t, sample(t))
			out = markup + fmt.Sprint(data)
		}
		for what, text := range map[string]string{
			"an error": "of <nothing> recovers it", "an info": "retried after 2h",
			"an undetermined release": "which nothing defines", "an undetermined place": "source elsewhere",
			"a file that cannot be read": "too large", "a place that cannot be read": "did not find expected key",
		} {
			if !strings.Contains(out, text) && !strings.Contains(out, html.EscapeString(text)) {
				t.Errorf("%s does not say %s: %s", f.Name, what, text)
			}
		}
		if strings.Contains(out, "grows for ever") && !strings.Contains(out, "waived") && !strings.Contains(out, "suppressions") {
			t.Errorf("%s does not say that a finding is waived", f.Name)
		}
	}
}

// The table of formats in docs/ has a row for each of them.
func TestFormatsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/exit-codes-and-reports.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Formats() {
		if !bytes.Contains(page, []byte("\n| `"+f.Name+"` |")) {
			t.Errorf("docs/exit-codes-and-reports.md has no row for %s", f.Name)
		}
	}
}

// Every format says what judged, with the bundle, but for those that have no place for it.
func TestFormatsSayWhatJudged(t *testing.T) {
	by := rules.InForce{Digest: "sha256:" + rules.Digest(strings.Repeat("0123456789abcdef", 4)), Bundle: "v7"}
	r := sample(t)
	r.InForce = by
	d := Compare("main", Side{}, Side{}, false).With(Policy{InForce: by})
	for _, f := range Formats() {
		check := func(what, text string, bare bool) {
			t.Helper()
			if said := strings.Contains(text, by.Digest.Short()) && strings.Contains(text, "v7"); said == bare {
				t.Errorf("%s of a %s: says it: %t\n%s", f.Name, what, said, text)
			}
		}
		check("report", string(render(t, f.Name, r, Options{})), f.Bare)
		if f.diff == nil {
			continue
		}
		var out bytes.Buffer
		if err := f.WriteDiff(&out, d, Options{}); err != nil {
			t.Fatal(err)
		}
		check("diff", out.String(), false)
	}
}

func TestJSONMatchesItsSchema(t *testing.T) {
	schema := strict(t, "report")
	full := sample(t)
	full.Waivers = []Waiver{{Rule: "no-recovery", State: WaiverUsed}}
	full.Baseline = &Baseline{From: "main", Stale: []Known{{Rule: "no-recovery", Cluster: "live", Severity: rules.Error}}}
	for name, r := range map[string]Report{"sample": full, "empty": New(nil, nil, nil, nil)} {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(render(t, "json", r, Options{})))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if schema.Validate(map[string]any{"apiVersion": "other/v1"}) == nil {
		t.Error("the schema accepts anything")
	}
}

// strict returns a published schema that takes no field that it does not describe.
func strict(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile("../../../../docs/" + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	for _, def := range doc["$defs"].(map[string]any) {
		def.(map[string]any)["additionalProperties"] = false
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("strict.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("strict.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestCompactPlaces: each finding has a line and a column, for problem matchers, also where none is known.
func TestCompactPlaces(t *testing.T) {
	for want, at := range map[string]Position{
		"f:8:3: error a: b\n": {File: "f", Line: 8, Column: 3}, "f:8:1: error a: b\n": {File: "f", Line: 8}, "f:1:1: error a: b\n": {File: "f"},
	} {
		r := Report{Findings: []Finding{{Rule: "a", Severity: rules.Error, Message: "b", Position: at}}}
		if got := string(render(t, "compact", r, Options{})); got != want {
			t.Errorf("%+v: %q, want %q", at, got, want)
		}
	}
}

// TestFingerprints: moving a finding changes nothing, its release does.
func TestFingerprints(t *testing.T) {
	f := sample(t).Findings[0]
	moved, renamed := f, f
	moved.Line, moved.Column, moved.Message = 99, 99, "other words"
	renamed.Release.Name = "other"
	prints := fingerprints([]Finding{f, renamed, moved})
	if alone := fingerprints([]Finding{moved}); alone[0] != prints[0] {
		t.Error("a finding that moved is another one")
	}
	if prints[0] == prints[1] || prints[0] == prints[2] {
		t.Error("two findings have one fingerprint")
	}
}

// GitHub shows ten annotations of each kind for a step: the worst are among them, and one
// notice counts all.
func TestGitHubRoom(t *testing.T) {
	r := Report{}
	for i := range 50 {
		f := Finding{Rule: "a", Severity: rules.Severities[i%3], Message: fmt.Sprint(i), Position: Position{File: "f", Line: i + 1}}
		r.Findings = append(r.Findings, f)
	}
	lines := strings.Split(strings.TrimSpace(string(render(t, "github", r, Options{}))), "\n")
	n := map[string]int{}
	for _, line := range lines {
		n[line[:8]]++
	}
	if n["::error "] != 10 || n["::warnin"] != 10 || n["::notice"] != 10 {
		t.Errorf("%v, want ten of each:\n%s", n, strings.Join(lines, "\n"))
	}
	if want := "annotations of errors: 17, of warnings: 17, of infos: 16"; !strings.Contains(lines[0], want) {
		t.Errorf("%s does not count %s", lines[0], want)
	}
}

func TestMarkdown(t *testing.T) {
	var many []Finding
	for i := range 2000 {
		f := sample(t).Findings[0]
		f.Line, f.Rule = i+1, fmt.Sprint("because-of-", i)
		many = append(many, f)
	}
	text := string(render(t, "markdown", New(nil, many, nil, nil), Options{}))
	if len(text) > 65_536 || !strings.Contains(text, "left out, for the limit") {
		t.Errorf("%d bytes are more than GitHub takes", len(text))
	}
	if strings.Count(text, "<details>") != strings.Count(text, "</details>") {
		t.Error("a block is not closed")
	}
}

// TestTerminal: nothing that a manifest says steers the terminal, and lines are
// as wide as it is where words allow.
func TestTerminal(t *testing.T) {
	opts := sampleOptions()
	opts.Width, opts.Length = 60, nil
	narrow := string(render(t, "text", sample(t), opts))
	for line := range strings.Lines(narrow) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 60 && strings.Count(strings.TrimSpace(line), " ") > 0 && !strings.Contains(line, "found") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	opts.Width = 0
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if words(narrow) != words(string(render(t, "text", sample(t), opts))) {
		t.Error("wrapping changes the words")
	}
}

func TestColorsChangeNoWord(t *testing.T) {
	opts := sampleOptions()
	opts.Color = true
	plain := regexp.MustCompile(`\x1b\[\d+m`).ReplaceAllString(string(render(t, "text", sample(t), opts)), "")
	if plain != string(render(t, "text", sample(t), sampleOptions())) {
		t.Error("colours change the text")
	}
}

// Formats for people leave out what is milder than asked for, but count it.
func TestMinSeverity(t *testing.T) {
	r := New(nil, []Finding{
		{Rule: "bad", Severity: rules.Error, Position: Position{File: "a.yaml", Line: 1}},
		{Rule: "odd", Severity: rules.Warning, Position: Position{File: "a.yaml", Line: 2}},
		{Rule: "mild", Severity: rules.Info, Position: Position{File: "a.yaml", Line: 3}},
	}, nil, nil)
	for _, f := range Formats() {
		format := f.Name
		out := string(render(t, format, r, Options{MinSeverity: rules.Warning}))
		if format != "counts" && strings.Contains(out, "mild") != f.Whole && !strings.Contains(out, "1 info hidden") {
			t.Errorf("%s: whole %t:\n%s", format, f.Whole, out)
		}
		if format != "junit" && format != "patch" && format != "counts" && (!strings.Contains(out, "bad") || !strings.Contains(out, "odd")) {
			t.Errorf("%s hides what was asked for:\n%s", format, out)
		}
	}
	for _, format := range []string{"text", "markdown"} {
		if out := string(render(t, format, r, Options{MinSeverity: rules.Error})); !strings.Contains(out, "1 warning and 1 info hidden; show them with --min-severity info") {
			t.Errorf("%s does not say that it hides something:\n%s", format, out)
		}
	}
}

// What many releases lack is shown once, whatever the numbers and the writers, and its
// places are named in full on demand; what ends otherwise is shown apart.
func TestFoldsWhatIsAlike(t *testing.T) {
	var findings []Finding
	for i := range 60 {
		f := sample(t).Findings[0]
		f.Release.Name, f.File = fmt.Sprintf("app-%02d", i), fmt.Sprintf("apps/%02d.yaml", i)
		if i > 57 {
			f.Tiers, f.Clusters = []release.Tier{release.Staging}, []string{"edge"}
		}
		findings = append(findings, f)
	}
	for i, change := range []func(*Finding){
		func(f *Finding) { f.Message += " at all" },
		func(f *Finding) { f.Provenance = []Place{{"ks.yaml", 3, "patch 1 of Kustomization x"}} },
		func(f *Finding) { f.Forecast = sample(t).Findings[2].Forecast },
	} {
		f := sample(t).Findings[0]
		f.File = fmt.Sprintf("other-%d.yaml", i)
		change(&f)
		findings = append(findings, f)
	}
	r := New(nil, findings, nil, nil)
	text := string(render(t, "text", r, Options{}))
	if n := strings.Count(text, "[no-recovery]"); n != 2 {
		t.Errorf("%d blocks, want 2:\n%s", n, text)
	}
	for want, in := range map[string]string{
		"  also at: apps/01.yaml:2, apps/02.yaml:2, apps/03.yaml:2, apps/04.yaml:2 and 57 more places\n": text,
		"63 errors in 63 places\n":           text,
		"\n    apps/59.yaml:2 apps/app-59\n": string(render(t, "text", r, Options{All: true})),
	} {
		if !strings.Contains(in, want) {
			t.Errorf("want %q in:\n%s", want, in)
		}
	}
	comment := string(render(t, "markdown", r, Options{}))
	if strings.Count(comment, "<details>") != 2 || !strings.Contains(comment, "</code> and 61 more places</summary>") || !strings.Contains(comment, " and 51 more places\n") {
		t.Errorf("comment:\n%s", comment)
	}
}

// Formats that are read as a whole say what should be done about waivers.
func TestNotices(t *testing.T) {
	r := New(nil, nil, nil, nil)
	r.Waivers = []Waiver{{Rule: "no-recovery", Release: "*/shop", State: WaiverUnused, File: "config.yaml", Line: 7}, {Rule: "zero-timeout", State: WaiverUsed}}
	for _, format := range []string{"text", "markdown", "github"} {
		if out := string(render(t, format, r, Options{})); !strings.Contains(out, "is unused") || strings.Contains(out, "zero-timeout") {
			t.Errorf("%s: %s", format, out)
		}
	}
}

func TestWritten(t *testing.T) {
	for want, p := range map[string]Place{
		"patch 1 of a/kustomization.yaml:8":           {"a/kustomization.yaml", 8, "patch 1 of a/kustomization.yaml"},
		"patch 1 of a/kustomization.yaml, a/b.yaml:1": {"a/b.yaml", 1, "patch 1 of a/kustomization.yaml"},
	} {
		if got := p.written(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Findings that differ in the chart that they tell are one, with each chart named.
func TestFoldsCharts(t *testing.T) {
	var findings []Finding
	for _, chart := range []string{"postgresql", "redis", "mysql"} {
		findings = append(findings, Finding{
			Rule: "data", Severity: rules.Error, Message: "a failed install of " + chart + " is undone",
			Subject:  Subject{Release: release.Name{Namespace: "apps", Name: "db-" + chart}, Chart: chart},
			Position: Position{File: chart + ".yaml", Line: 1},
		})
	}
	text := string(render(t, "text", New(nil, findings, nil, nil), Options{}))
	for want, n := range map[string]int{"[data]": 1, "error: a failed install of mysql is undone [data]\n": 1, "also at: postgresql.yaml:1, redis.yaml:1\n": 1} {
		if strings.Count(text, want) != n {
			t.Errorf("want %q %d times in:\n%s", want, n, text)
		}
	}
}

// Places that may hold releases are not counted as releases.
func TestCounted(t *testing.T) {
	one, place := release.Undetermined{Release: "apps/shop", Cluster: "test", Reason: "a"}, release.Undetermined{Reason: "source elsewhere"}
	again, other := release.Undetermined{Release: "apps/shop", Cluster: "test", Reason: "b"}, release.Undetermined{Release: "apps/shop", Cluster: "live"}
	const open = "; undetermined items were not checked; --strict fails on them"
	for want, all := range map[string][]release.Undetermined{
		"0 releases": nil,
		"2 releases (1 name in 2 clusters): 2 undetermined" + open:                                      {one, again, other},
		"1 release: 1 undetermined; 1 place could not be resolved and may contain more releases" + open: {place, one},
		"0 releases; 2 places could not be resolved and may contain more releases" + open:               {place, place},
	} {
		if got := strings.Join(New(nil, nil, all, nil).summary()[1:], "; "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What several clusters do not know for one reason is one line, and so is what more than two
// places do not; with --all each place has its own.
func TestFoldsWhatIsUndetermined(t *testing.T) {
	var all []release.Undetermined
	for _, cluster := range []string{"edge", "live"} {
		all = append(all, release.Undetermined{File: "a.yaml", Line: 3, Cluster: cluster, Reason: "not in the tree"})
	}
	all = append(all, release.Undetermined{File: "a.yaml", Line: 4, Cluster: "live", Reason: "not in the tree"})
	const few = "a.yaml:3: undetermined: clusters edge, live: not in the tree\na.yaml:4: undetermined: cluster live: not in the tree\n\n"
	check := func(want string, opts Options) {
		t.Helper()
		if text := string(render(t, "text", New(nil, nil, all, nil), opts)); !strings.HasPrefix(text, want) {
			t.Errorf("got\n%s\nwant\n%s", text, want)
		}
	}
	check(few, Options{})
	for _, name := range []string{"infra", "apps", "tools"} {
		all = append(all, release.Undetermined{File: name + ".yaml", Line: 1, Cluster: name, Reason: "folder " + name + " cannot be built: no such folder"})
	}
	check("infra.yaml:1: undetermined: folder infra cannot be built: no such folder; the same reason in 2 more places: apps.yaml:1 in cluster apps, tools.yaml:1 in cluster tools\n"+few, Options{})
	check(strings.TrimSuffix(few, "\n")+"infra.yaml:1: undetermined: folder infra cannot be built: no such folder\napps.yaml:1: ", Options{All: true})
}

func TestWaiversSayHowLongTheyHold(t *testing.T) {
	for days, want := range map[int]string{12: "12 days left", 1: "1 day left", 0: "its last day", -1: "ended 1 day ago"} {
		if got := (Waiver{DaysLeft: days}).Left(); got != want {
			t.Errorf("%d: %q, want %q", days, got, want)
		}
	}
}
