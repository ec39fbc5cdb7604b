package build

import (
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/buildtest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

const small = `
-- apps/kustomization.yaml --
resources: [../base, more]
patches: [{path: patch.yaml}]
-- apps/patch.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app}
spec: {timeout: 9m}
-- apps/more/kustomization.yaml --
resources: [settings.yaml]
-- apps/more/settings.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
-- base/kustomization.yaml --
resources: [app.yaml]
-- base/app.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: app}}
-- plain/app.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: plain}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: app}}
-- plain/inner/readme.txt --
nothing
-- elsewhere.yaml --
kind: Other
`

// A build is done again if and only if something that it reads is another.
func TestEqualBuildsAreDoneOnce(t *testing.T) {
	base := buildtest.Files(small)
	for name, c := range map[string]struct {
		dir     string
		changes map[string]string
		again   bool
	}{
		"nothing":              {"apps", nil, false},
		"a file that it reads": {"apps", map[string]string{"base/app.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"}, true},
		"its patch":            {"apps", map[string]string{"apps/patch.yaml": strings.ReplaceAll(small[strings.Index(small, "apiVersion"):strings.Index(small, "-- apps/more/k")], "9m", "8m")}, true},
		"another file":         {"apps", map[string]string{"elsewhere.yaml": "kind: Changed"}, false},
		"a file beside":        {"apps", map[string]string{"apps/beside.yaml": "kind: New"}, false},
		"a file in a scan":     {"plain", map[string]string{"plain/inner/new.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"}, true},
		"outside of a scan":    {"plain", map[string]string{"apps/new.yaml": "kind: New"}, false},
		"its kustomization":    {"plain", map[string]string{"plain/kustomization.yaml": "resources: [app.yaml]"}, true},
	} {
		changes := map[string][]byte{}
		for at, text := range c.changes {
			changes[at] = []byte(text)
		}
		b := NewBuilder()
		first := b.Build(b.Source("a", true, base), c.dir, buildtest.Kustomization(map[string]any{"path": c.dir}))
		if first.Err != nil || len(first.Resources) == 0 {
			t.Fatalf("%s: %v, %d resources", name, first.Err, len(first.Resources))
		}
		second := b.Build(b.Source("b", true, base.With(changes)), c.dir, buildtest.Kustomization(map[string]any{"path": c.dir}))
		if again := first != second; again != c.again {
			t.Errorf("%s: built again: %v, want %v", name, again, c.again)
		}
		if other := b.Build(b.Source("c", true, base), c.dir, buildtest.Kustomization(map[string]any{"path": c.dir, "namePrefix": "x-"})); other == first {
			t.Errorf("%s: another spec has the same build", name)
		}
	}
}

// A source that is assembled of others is built as they are.
func TestAssemble(t *testing.T) {
	b := NewBuilder()
	from := b.Source("a", true, buildtest.Files(small))
	made := b.Assemble("made", map[string]Taken{
		"x/y/kustomization.yaml": {from, "base/kustomization.yaml"}, "x/y/app.yaml": {from, "base/app.yaml"},
	})
	out := b.Build(made, "x/y", buildtest.Kustomization(nil))
	if out.Err != nil || len(out.Resources) != 1 || made.KustFileIn("x/y") == nil {
		t.Errorf("%v, %v", out.Err, out.Resources)
	}
	if out := b.Build(from.Sub("apps"), ".", buildtest.Kustomization(nil)); out.Err == nil || strings.Contains(out.Err.Error(), "/flux-remedy-") {
		t.Errorf("a part is built with what lies outside of it: %v", out.Err)
	}
}

// What would have to be fetched is left out of a build and named, wherever a
// kustomization.yaml has it in plain sight.
func TestRemotes(t *testing.T) {
	b := NewBuilder()
	s := b.Source("a", true, buildtest.Files(`
-- apps/kustomization.yaml --
resources: ["https://example.com/a.yaml", app.yaml]
components: [github.com/example/b]
patches:
  - path: https://example.com/p.yaml
  - {path: patch.yaml}
configMapGenerator: [{name: x, files: [a=https://example.com/f]}]
-- apps/app.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app}
spec: {interval: 1h}
-- apps/patch.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app}
spec: {timeout: 9m}
`))
	out := b.Build(s, "apps", buildtest.Kustomization(nil))
	if out.Err != nil || len(out.Resources) != 2 {
		t.Fatalf("%v, %v", out.Err, out.Resources)
	}
	obj, err := out.Resources[0].Object()
	if err != nil {
		t.Fatal(err)
	}
	shadow, _ := obj["flux-remedy-trace"].(map[string]any)
	if o, ok := b.Table.Origin(shadow["timeout"]); !ok || o.Doc.File.Name != "apps/patch.yaml" || o.Writer.What != "patch 2 of apps/kustomization.yaml" {
		t.Errorf("timeout comes from %+v, %v", o, ok)
	}
	var got []string
	for _, r := range s.Walk("apps", nil).Remotes {
		got = append(got, r.Entry)
	}
	if want := "https://example.com/a.yaml github.com/example/b https://example.com/p.yaml"; strings.Join(got, " ") != want {
		t.Errorf("remotes %q, want %q", got, want)
	}
}

// A kustomization.yaml takes the patches that are beside it where it is, not
// those that were beside it where it comes from.
func TestAssembleWithOtherPatches(t *testing.T) {
	b := NewBuilder()
	from := b.Source("a", true, buildtest.Files(small+"-- over/patch.yaml --\n"+strings.ReplaceAll(small[strings.Index(small, "apiVersion"):strings.Index(small, "-- apps/more/k")], "9m", "8m")))
	parts := map[string]Taken{}
	for _, name := range from.Files().Paths() {
		parts[name] = Taken{from, name}
	}
	parts["apps/patch.yaml"] = Taken{from, "over/patch.yaml"}
	for _, c := range []struct {
		source *Source
		want   string
	}{{from, "9m"}, {b.Assemble("made", parts), "8m"}} {
		out := b.Build(c.source, "apps", buildtest.Kustomization(nil))
		if out.Err != nil {
			t.Fatal(out.Err)
		}
		if obj, err := out.Resources[0].Object(); err != nil || object.At(obj, "spec", "timeout") != c.want {
			t.Errorf("%v, %v, want %s", err, obj, c.want)
		}
	}
	delete(parts, "apps/patch.yaml")
	if out := b.Build(b.Assemble("less", parts), "apps", buildtest.Kustomization(nil)); out.Err == nil {
		t.Error("a patch that is not there is applied")
	}
}

// Of the builds of one key, the last ones are kept.
func TestPastBuildsAreBounded(t *testing.T) {
	base, b := buildtest.Files(small), NewBuilder()
	build := func(app string) *Result {
		changed := base.With(map[string][]byte{"base/app.yaml": []byte("{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: " + app + "}}")})
		return b.Build(b.Source("a", true, changed), "base", buildtest.Kustomization(map[string]any{"path": "base"}))
	}
	first := build("a")
	for _, app := range strings.Split("bcdefgh", "") {
		build(app)
	}
	if build("a") != first {
		t.Error("what was built eight builds ago is built again")
	}
	for _, app := range strings.Split("ijklmnop", "") {
		build(app)
	}
	if kept := len(slices.Collect(b.results.All())); kept > 8 {
		t.Errorf("%d builds of one key are kept", kept)
	}
	if build("a") == first {
		t.Error("more builds are kept than should be")
	}
}

// A resource is substituted once for equal variables, and what is done with the object or its
// metadata changes no other.
func TestObjects(t *testing.T) {
	b := NewBuilder()
	out := b.Build(b.Source("a", true, buildtest.Files(small)), "plain", buildtest.Kustomization(map[string]any{"path": "plain"}))
	with := func(interval string) *variables.Variables {
		v := variables.Of(buildtest.Kustomization(map[string]any{"postBuild": map[string]any{"substitute": map[string]any{"interval": interval}}}), nil)
		return &v
	}
	for _, interval := range []string{"1m", "2m", "1m"} {
		obj, _, err := out.Under(with(interval)).Object(0)
		if err != nil || obj["kind"] != "HelmRelease" {
			t.Fatalf("%v, %v", obj, err)
		}
		obj["kind"] = "Other"
		object.LoseLabels(obj)
		AddMetadata(obj, buildtest.Kustomization(map[string]any{"commonMetadata": map[string]any{"labels": map[string]any{"a": "b"}}}))
		delete(obj["metadata"].(map[string]any), "name")
	}
	if obj, _, _ := out.Under(&variables.Variables{}).Object(0); object.Name(obj) == "" || obj["kind"] != "HelmRelease" || object.At(obj, "metadata", "labels") != nil {
		t.Errorf("another caller has changed it: %v", obj)
	}
	if n := len(slices.Collect(out.objects.Values())); n != 3 {
		t.Errorf("it is kept for %d sets of variables, want 3", n)
	}
}
