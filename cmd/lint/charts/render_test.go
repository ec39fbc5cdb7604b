package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
	"github.com/flux-remedy/remedy/pkg/loss"
)

// chartOf returns a job with a chart of files.
func chartOf(files map[string]string) charts.Job {
	job := charts.Job{Name: "app", Namespace: "apps", Files: map[string][]byte{
		"Chart.yaml": []byte("apiVersion: v2\nname: shop\nversion: 1.2.3\n"),
	}}
	for name, text := range files {
		job.Files[name] = []byte(text)
	}
	return job
}

const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: "{{ .Release.Name }}-data"}
spec: {resources: {requests: {storage: "{{ .Values.size }}"}}}
`

func TestRender(t *testing.T) {
	job := chartOf(map[string]string{
		"values.yaml": "size: 1Gi\n", "templates/a.yaml": claim, "templates/NOTES.txt": "kind: {{", "templates/_b.tpl": `{{ define "x" }}{{ end }}`,
		"crds/a.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.example.com}\n",
	})
	job.Files["templates/NOTES.txt"] = []byte("hello")
	job.Values = map[string]any{"size": "8Gi"}
	out := render(job)
	l := loss.Of(loss.Release{Chart: out.Chart, Documents: out.Documents, Definitions: out.Definitions})
	want := "deletes PersistentVolumeClaim app-data (8Gi); keeps CustomResourceDefinition as.example.com (it is in crds/, which Helm never deletes)"
	if got := l.Sentence(); out.Problem != "" || out.Chart != "shop 1.2.3" || got != want {
		t.Errorf("%q %q: %s, want %s", out.Chart, out.Problem, got, want)
	}
}

// What .helmignore leaves out of a folder is not of the chart. A dependency that was laid into it has its own.
func TestIgnored(t *testing.T) {
	for name, tc := range map[string]struct{ ignore, file, want string }{
		"a file":                {"a.yaml\n", "templates/a.yaml", ""},
		"a path":                {"# comment\n\n templates/*.yaml \n", "templates/a.yaml", ""},
		"at the root":           {"/a.yaml\n", "templates/a.yaml", "A"},
		"a folder":              {"old/\n", "templates/old/a.yaml", ""},
		"no file":               {"a.yaml/\n", "templates/a.yaml", "A"},
		"hidden":                {"", "templates/.a.yaml", ""},
		"hidden, in a folder":   {"", "templates/x/.a.yaml", "A"},
		"in a hidden folder":    {"", "templates/.x/a.yaml", ""},
		"all but one":           {"!a.yaml\n", "templates/a.yaml", "no chart"}, // also Chart.yaml
		"doubled stars":         {"**/a.yaml\n", "templates/a.yaml", "double-star"},
		"the chart":             {"Chart.yaml\n", "templates/a.yaml", "no chart"},
		"a part":                {"charts/db\n", "charts/db/templates/a.yaml", ""},
		"of a dependency":       {"charts\n", "charts/laid/templates/a.yaml", "A"},
		"of its dependency":     {"charts\n", "charts/laid/charts/deep/templates/a.yaml", "A"},
		"by the dependency":     {"", "charts/laid/templates/b.yaml", ""},
		"by the outer one":      {"", "charts/laid/charts/deep/templates/b.yaml", "A"},
		"not by the dependency": {"", "templates/b.yaml", "A"},
	} {
		job := chartOf(map[string]string{".helmignore": tc.ignore, tc.file: "kind: A"})
		job.Laid = []string{"charts/laid", "charts/laid/charts/deep"}
		for _, dir := range []string{"charts/db", "charts/laid", "charts/laid/charts/deep"} {
			job.Files[dir+"/Chart.yaml"] = []byte("apiVersion: v2\nname: " + filepath.Base(dir) + "\nversion: 1.0.0\n")
		}
		job.Files["charts/laid/.helmignore"] = []byte("b.yaml\n")
		out := render(job)
		got := ""
		if len(out.Documents) > 0 {
			got = "A"
		}
		if out.Problem != "" {
			got = "no chart: " + out.Problem
		}
		if !strings.Contains(got, tc.want) || (got == "") != (tc.want == "") {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// Values that the schema of a chart refuses fail its rendering, as they fail the install. What a schema names
// elsewhere is neither fetched nor read.
func TestSchema(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(outside, []byte(`{"type": "object"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const within = `{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/a.json", "$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}`
	for name, tc := range map[string]struct{ file, schema, want string }{
		"fits":             {"", `{"properties": {"size": {"type": "string"}}}`, ""},
		"within":           {"", within, ""},
		"a wrong type":     {"", `{"properties": {"size": {"type": "integer"}}}`, "got string, want integer"},
		"of another chart": {"charts/db/", `{"required": ["name"]}`, "missing property 'name'"},
		"missing":          {"", `{"required": ["name"]}`, "missing property 'name'"},
		"no JSON":          {"", `{`, "the schema of the values of shop cannot be read"},
		"no schema":        {"", `{"type": 3}`, "the schema of the values of shop cannot be read"},
		"itself":           {"", `{"$ref": "#"}`, "reference cycle"},
		"a file":           {"", `{"$ref": "file://` + outside + `"}`, "which is not in the chart"},
		"a file beside it": {"", `{"$ref": "a.json"}`, "which is not in the chart"},
		"a host":           {"", `{"$ref": "http://127.0.0.1:1/a.json"}`, "which is not in the chart"},
		"another meta":     {"", `{"$schema": "https://example.com/meta.json"}`, "which is not in the chart"},
		"by its base":      {"", `{"$id": "https://example.com/a/", "properties": {"a": {"$ref": "b.json"}}}`, "which is not in the chart"},
		"a host, deep":     {"charts/db/", `{"$ref": "https://127.0.0.1:1/a.json"}`, "which is not in the chart"},
	} {
		job := chartOf(map[string]string{
			"charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.0.0\n", tc.file + "values.schema.json": tc.schema, "values.yaml": "size: 1Gi\ndb: {}\n",
		})
		if got := render(job).Problem; !strings.Contains(got, tc.want) || (got == "") != (tc.want == "") {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
		if job.AnyValues = true; render(job).Problem != "" {
			t.Errorf("%s: validated", name)
		}
	}
}

// Values files of the release take the place of the chart's, and its values go over them.
func TestValues(t *testing.T) {
	job := chartOf(map[string]string{"values.yaml": "size: 1Gi\n", "templates/a.yaml": "kind: A\nmetadata: {name: \"{{ .Values.size }}-{{ .Values.other }}\"}\ndata: {secret: x}\n"})
	job.ValuesFiles = []string{"size: 2Gi\n", "other: red\n"}
	if got := fmt.Sprint(render(job).Documents); got != "[map[kind:A metadata:map[name:2Gi-red]]]" {
		t.Error(got)
	}
	job.Values = map[string]any{"other": "blue"}
	if got := fmt.Sprint(render(job).Documents); got != "[map[kind:A metadata:map[name:2Gi-blue]]]" {
		t.Error(got)
	}
}

// Values of spec.valuesFrom are merged as helm-controller merges them.
func TestValuesFrom(t *testing.T) {
	for name, tc := range map[string]struct {
		from   []charts.Values
		values map[string]any
		want   string
	}{
		"in their order":             {[]charts.Values{{Text: "a: 1\nb: 1"}, {Text: "b: 2"}}, nil, "map[a:1 b:2]"},
		"under the release's":        {[]charts.Values{{Text: "a: {b: 1, c: 1}"}}, map[string]any{"a": map[string]any{"b": 2}}, "map[a:map[b:2 c:1]]"},
		"at a path":                  {[]charts.Values{{Text: "1", Path: "a.b[0]"}}, nil, "map[a:map[b:[1]]]"},
		"over the release's":         {[]charts.Values{{Text: "1", Path: "a.b"}}, map[string]any{"a": map[string]any{"b": 2}}, "map[a:map[b:1]]"},
		"but not at the top":         {[]charts.Values{{Text: "1", Path: "a"}}, map[string]any{"a": 2}, "map[a:2]"},
		"quoted":                     {[]charts.Values{{Text: "'1'", Path: "a"}}, nil, "map[a:1]"},
		"several":                    {[]charts.Values{{Text: "1,b=2", Path: "a"}}, nil, "map[a:1 b:2]"},
		"literally":                  {[]charts.Values{{Text: "1,b={2}", Path: "a", Literal: true}}, nil, "map[a:1,b={2}]"},
		"YAML under those at a path": {[]charts.Values{{Text: "1", Path: "a.b"}, {Text: "a: {b: 3}"}}, nil, "map[a:map[b:3]]"},
	} {
		if got, err := effective(charts.Job{From: tc.from, Values: tc.values}); fmt.Sprint(got) != tc.want || err != nil {
			t.Errorf("%s: %v, want %s; %v", name, got, tc.want, err)
		}
	}
}

// What a chart cannot be rendered for is named.
func TestProblems(t *testing.T) {
	for _, tc := range []struct{ file, text, want string }{
		{"templates/a.yaml", `{{ fail "no" }}`, "no"},
		{"templates/a.yaml", "{{ .Values.a.b.c }}", "nil pointer"},
		{"templates/a.yaml", "{{", "unclosed action"},
		{"templates/a.yaml", "a: [", "gives no YAML"},
		{"templates/a.yaml", `{{ include "x" . }}`, `no template "x"`},
		{"templates/a.yaml", `{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}`, "nested"},
		{"templates/a.yaml", `{{ repeat 100000000 "xxxxxxxxxx" }}`, "repeats a text to more than"},
		{"Chart.yaml", "apiVersion: v2\nname: a\n", "version"},
		{"Chart.yaml", "x", "Chart.yaml"},
		{"Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\ntype: library\n", "library"},
		{"Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies: [{name: b, version: 1.x, repository: https://example.com}]\n", "its dependency b 1.x is not in charts/"},
	} {
		if got := render(chartOf(map[string]string{tc.file: tc.text})); !strings.Contains(got.Problem, tc.want) || strings.Contains(got.Problem, "\n") {
			t.Errorf("%s: %q, want %q", tc.text, got.Problem, tc.want)
		}
	}
	if got := render(charts.Job{Archive: []byte("no archive")}); !strings.Contains(got.Problem, "its archive cannot be read") {
		t.Error(got.Problem)
	}
}

// The cluster is not asked, and what is asked of it is named. A name is looked up nowhere.
func TestAsks(t *testing.T) {
	got := render(chartOf(map[string]string{"templates/a.yaml": `kind: A
metadata:
  name: "{{ len (lookup "v1" "Secret" "apps" "password") }}-{{ len (lookup "v1" "Node" "" "") }}-{{ getHostByName "localhost" }}"
`}))
	if fmt.Sprint(got.Asks) != "[Secret apps/password Node]" || fmt.Sprint(got.Documents) != "[map[kind:A metadata:map[name:0-0-]]]" {
		t.Errorf("%v %v %s", got.Asks, got.Documents, got.Problem)
	}
	if out := render(chartOf(map[string]string{"templates/a.yaml": `{{ env "HOME" }}`})); !strings.Contains(out.Problem, `function "env" not defined`) {
		t.Error(out.Problem)
	}
}

// A chart that asks for what it has made itself is rendered as the next upgrade, too: only if that
// changes what holds data is the question left open.
func TestAsksForItsOwn(t *testing.T) {
	const secret = `kind: Secret
apiVersion: v1
metadata: {name: own}
{{ $found := lookup "v1" "Secret" .Release.Namespace "own" }}
{{ if $found }}
data: {a: {{ index $found.data "a" }}, b: {{ index $found.data "b" }}}
{{ $_ := set $found "data" "changed" }}
{{ else }}
stringData: {a: {{ randAlphaNum 9 }}}
data: {b: {{ "x" | b64enc }}}
{{ end }}
---
`
	for name, tc := range map[string]struct{ text, want string }{
		"a password":           {secret + claim, "[]"},
		"what others have":     {secret + `{{ if lookup "v1" "Node" "" "" }}{{ end }}`, "[Node]"},
		"of another namespace": {secret + `{{ if lookup "v1" "Secret" "other" "own" }}{{ end }}`, "[Secret other/own]"},
		"what keeps the claim": {claim + `{{ if lookup "v1" "PersistentVolumeClaim" .Release.Namespace "app-data" }}
  volumeName: x{{ end }}
---
{{ if not (lookup "v1" "PersistentVolumeClaim" .Release.Namespace "app-data") }}{kind: Namespace, apiVersion: v1, metadata: {name: a}}{{ end }}`, "[PersistentVolumeClaim apps/app-data]"},
		"a status":             {`{{ if lookup "v1" "Service" .Release.Namespace "a" }}{{ end }}{kind: Service, apiVersion: v1, metadata: {name: a}}`, "[Service apps/a]"},
		"what then fails":      {secret + `{{ if lookup "v1" "Secret" .Release.Namespace "own" }}{{ fail "no" }}{{ end }}`, "[Secret apps/own]"},
		"what no upgrade has":  {secret + `{{ if .Release.IsUpgrade }}{{ fail "no" }}{{ end }}`, "[]"},
		"claims of an upgrade": {secret + "{{ if .Release.IsUpgrade }}\n" + claim + "{{ end }}", "[Secret apps/own]"},
	} {
		if out := render(chartOf(map[string]string{"templates/a.yaml": tc.text, "values.yaml": "size: 1Gi\n"})); fmt.Sprint(out.Asks) != tc.want || out.Problem != "" {
			t.Errorf("%s: %v, want %s; %s", name, out.Asks, tc.want, out.Problem)
		}
	}
}

// A dependency that is switched off, or is there, is no problem.
func TestDependencies(t *testing.T) {
	job := chartOf(map[string]string{
		"Chart.yaml":  "apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies:\n- {name: cache, version: 1.x, condition: cache.enabled}\n- {name: db, alias: store, version: 1.x}\n",
		"values.yaml": "cache: {enabled: false}\nstore: {size: 3Gi}\n", "charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.0.0\n", "charts/db/templates/a.yaml": claim,
	})
	if got := render(job); got.Problem != "" || !strings.Contains(fmt.Sprint(got.Documents), "3Gi") {
		t.Errorf("%s %v", got.Problem, got.Documents)
	}
}

// What post renderers and common metadata make of the charts of testdata/loss is what the real
// controller has recorded: what is lost by both is the same.
func TestRecordings(t *testing.T) {
	for _, name := range []string{"patched", "common-metadata"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "loss", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "-- spec.yaml --\n")
		settings, rest, _ := strings.Cut(rest, "-- templates/a.yaml --\n")
		chart, _, _ := strings.Cut(rest, "-- rendered.yaml --\n")
		var spec map[string]any
		if err := yaml.Unmarshal([]byte(settings), &spec); err != nil {
			t.Fatal(err)
		}
		job := chartOf(map[string]string{"templates/a.yaml": chart})
		job.PostRenderers, _ = spec["postRenderers"].([]any)
		job.CommonMetadata, _ = spec["commonMetadata"].(map[string]any)
		out := render(job)
		if l := loss.Of(loss.Release{Documents: out.Documents}); out.Problem != "" || len(l.Kept) != 1 || len(l.Gone) != 0 {
			t.Errorf("%s: %s %s", name, out.Problem, l.Sentence())
		}
	}
}
