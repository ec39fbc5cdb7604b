package trace_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

const app = `# a comment
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app}
spec:
  timeout: 5m
  install: {remediation: {retries: 3}}
  values: {large: [1, 2, 3]}
`

func parse(t testing.TB, text string) *yamledit.File {
	t.Helper()
	file, err := yamledit.Parse("app.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func objectOf(t testing.TB, text []byte) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// origins lists the leaves of a shadow with the place that each names.
func origins(table *trace.Table, shadow any) []string {
	var out []string
	object.Leaves(nil, shadow, func(at release.Path, tag any) {
		if o, ok := table.Origin(tag); ok {
			pos, _ := o.Doc.Find(o.Path...)
			out = append(out, fmt.Sprintf("%s=%v at %d:%d", at, o.Value, pos.Line, pos.Column))
		}
	})
	return out
}

func TestInstrument(t *testing.T) {
	table := &trace.Table{}
	out := objectOf(t, table.Instrument(parse(t, app), &trace.Writer{}, ""))
	got := origins(table, trace.Of(out))
	want := []string{"document=<nil> at 2:1", "install.remediation.retries=3 at 7:27", "timeout=5m at 6:3"}
	if !slices.Equal(got, want) {
		t.Errorf("origins\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if own, ok := table.Document(out); !ok || own.Writer.What != "" {
		t.Errorf("own document %+v, %v", own, ok)
	}
	if got, want := trace.Without(out), objectOf(t, []byte(app)); !reflect.DeepEqual(got, want) {
		t.Errorf("without the shadow %v, want %v", got, want)
	}
}

func TestInstrumentLeavesOthersAlone(t *testing.T) {
	for _, text := range []string{"kind: ConfigMap\napiVersion: v1\n", "apiVersion: helm.fluxcd.io/v1\nkind: HelmRelease\n", "- 1\n", "{ {", ""} {
		if out := (&trace.Table{}).Instrument(parse(t, text), &trace.Writer{}, ""); out != nil {
			t.Errorf("%q becomes %q", text, out)
		}
	}
}

// A patch in JSON does to the shadow what it does to spec.
func TestOperations(t *testing.T) {
	table := &trace.Table{}
	patch := `[{"op": "test", "path": "/spec/timeout", "value": "5m"},
 {"op": "replace", "path": "/spec/timeout", "value": "9m"},
 {"op": "move", "from": "/spec/install", "path": "/spec/upgrade"},
 {"op": "add", "path": "/spec/values/x", "value": 1},
 {"op": "add", "path": "/metadata/labels", "value": {}}]`
	w := &trace.Writer{What: "patch 1"}
	out := table.Instrument(parse(t, patch), w, "HelmRelease")
	var ops []map[string]any
	if err := yaml.Unmarshal(out, &ops); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, op := range ops[5:] {
		got = append(got, strings.Join(append([]string{fmt.Sprint(op["op"], " ", op["from"], " ", op["path"])}, origins(table, op["value"])...), " "))
	}
	want := []string{"replace <nil> /flux-remedy-trace/timeout =9m at 2:45", "move /flux-remedy-trace/install /flux-remedy-trace/upgrade"}
	if !slices.Equal(got, want) {
		t.Errorf("operations %q, want %q", got, want)
	}
	if out := table.Instrument(parse(t, patch), w, "ConfigMap"); out != nil {
		t.Errorf("a patch of a ConfigMap becomes %s", out)
	}
}

// Patches that a Flux Kustomization hands out carry shadows of their own.
func TestPatchesHandedOut(t *testing.T) {
	text := `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  patches:
    - target: {kind: HelmRelease}
      patch: |
        apiVersion: helm.toolkit.fluxcd.io/v2
        kind: HelmRelease
        metadata: {name: all}
        spec: {timeout: 9m}
`
	table := &trace.Table{}
	out := objectOf(t, table.Instrument(parse(t, text), &trace.Writer{}, ""))
	list, _ := object.At(out, "spec", "patches").([]any)
	inner := objectOf(t, []byte(object.String(list[0], "patch")))
	tag, _ := object.Follow(trace.Of(inner), release.Path{"timeout"})
	o, ok := table.Origin(tag)
	if !ok || o.Writer.What != "patch 1 of Kustomization flux-system/apps" {
		t.Fatalf("origin %+v, %v", o, ok)
	}
	if pos, exact := o.Doc.Find(o.Path...); pos.Line != 11 || !exact {
		t.Errorf("position %v, %v", pos, exact)
	}
	if got := trace.Strip(out); !reflect.DeepEqual(jsonOf(t, got), jsonOf(t, objectOf(t, []byte(text)))) {
		t.Errorf("stripped\n%v\nwant\n%v", jsonOf(t, got), text)
	}
}

// jsonOf writes an object, with patches in it as objects.
func jsonOf(t testing.TB, v map[string]any) string {
	t.Helper()
	list, _ := object.At(v, "spec", "patches").([]any)
	for _, item := range list {
		entry := item.(map[string]any)
		entry["patch"] = objectOf(t, []byte(object.String(entry, "patch")))
	}
	return written(t, v)
}

func written(t testing.TB, v any) string {
	t.Helper()
	data, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Whatever is instrumented, without its shadow it is what it was.
func FuzzInstrument(f *testing.F) {
	f.Add(app)
	f.Add(strings.ReplaceAll(app, "install:", "$patch: delete\n  install:"))
	f.Add("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec: &a {x: *a}\n")
	f.Add("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {patches: [{patch: '[{\"op\": \"add\", \"path\": \"/spec/x\"}]', target: {kind: HelmRelease}}]}\n")
	f.Add("apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nspec: {resources: [{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, spec: {a: 1}}]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := yamledit.Parse("app.yaml", []byte(text))
		if err != nil {
			return
		}
		out := (&trace.Table{}).Instrument(file, &trace.Writer{}, "")
		if out == nil || len(file.Documents) != 1 || strings.Contains(text, "flux-remedy-trace") {
			return
		}
		want, err := file.Documents[0].Object()
		if err != nil || object.IsList(want) || object.IsResourceSet(want) || object.IsKustomization(want) {
			return // what they hold is instrumented, too
		}
		var got map[string]any
		if err := yaml.Unmarshal(out, &got); err != nil {
			t.Fatalf("instrumented, it cannot be read: %v\n%s", err, out)
		}
		if is, was := written(t, trace.Without(got)), written(t, want); is != was {
			t.Errorf("without the shadow\n%s\nwant\n%s", is, was)
		}
	})
}

// A directive would be lost, and with it that kustomize refuses the file.
func TestDirectivesAreLeftAlone(t *testing.T) {
	for _, text := range []string{"%YAML 1.1\n---\n" + app, app + "...\n%TAG ! !\n---\n" + app} {
		if out := (&trace.Table{}).Instrument(parse(t, text), &trace.Writer{}, ""); out != nil {
			t.Errorf("%s\nbecomes\n%s", text, out)
		}
	}
}
