package build

import (
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/buildtest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
)

// everyField names files by every field of a kustomization.yaml, of its plugins, and of a Flux
// Kustomization, some in letter cases and spellings that kustomize reads, too.
const everyField = `
-- apps/kustomization.yaml --
Resources: [app.yaml, "../base"]
bases: [../old]
components: [../part]
configurations: [names.yaml]
crds: [crd.json]
openapi: {path: schema.json}
configMapGenerator: [{name: a, files: [key=a.txt, b.txt], envs: [c.env]}]
SecretGenerator: [{name: b, env: d.env}]
generators: [../generators, "{apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: x}, name: x, files: [e.txt]}"]
transformers: [../transformers, !!binary dHJhbnNmb3JtZXIueWFtbA==, "{apiVersion: builtin, kind: ReplacementTransformer, metadata: {name: y}, replacements: [{path: r2.yaml}]}"]
validators: [../validators]
patchesStrategicMerge: [./merge.yaml, "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: app}, spec: {timeout: 2m}}"]
patches: [{Path: patch.yaml, target: {kind: HelmRelease}}]
patchesJson6902: [{path: ops.yaml, target: {group: helm.toolkit.fluxcd.io, version: v2, kind: HelmRelease, name: app}}]
replacements: [{path: r1.yaml}]
-- apps/app.yaml --
{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: app}, spec: {interval: 1h, timeout: 5m}}
-- apps/names.yaml --
nameReference: [{kind: ConfigMap, fieldSpecs: [{kind: HelmRelease, path: spec/valuesFrom/name}]}]
-- apps/crd.json --
{}
-- apps/schema.json --
{"definitions": {}}
-- apps/a.txt --
a
-- apps/b.txt --
b
-- apps/c.env --
C=c
-- apps/d.env --
D=d
-- apps/e.txt --
e
-- apps/merge.yaml --
{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: app}, spec: {timeout: 3m}}
-- apps/patch.yaml --
{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: app}, spec: {timeout: 4m}}
-- apps/ops.yaml --
- {op: add, path: /spec/suspend, value: true}
-- apps/r1.yaml --
{source: {kind: HelmRelease, name: app, fieldPath: spec.timeout}, targets: [{select: {kind: HelmRelease, name: app}, fieldPaths: [spec.interval]}]}
-- apps/r2.yaml --
- {source: {kind: HelmRelease, name: app, fieldPath: spec.timeout}, targets: [{select: {kind: HelmRelease, name: app}, fieldPaths: [spec.interval]}]}
-- apps/transformer.yaml --
{apiVersion: builtin, kind: PatchTransformer, metadata: {name: t}, path: p1.yaml, target: {kind: HelmRelease}}
-- apps/p1.yaml --
- {op: add, path: /spec/maxHistory, value: 3}
-- apps/p2.yaml --
- {op: add, path: /spec/maxHistory, value: 4}
-- apps/f.txt --
f
-- base/kustomization.yml --
resources: [base.yaml]
-- base/base.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: base}}
-- old/Kustomization --
resources: [old.yaml]
-- old/old.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: old}}
-- part/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches: [{path: inner.yaml, target: {kind: HelmRelease}}]
-- part/inner.yaml --
- {op: add, path: /spec/releaseName, value: x}
-- added/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources: [more.yaml]
-- added/more.yaml --
{apiVersion: v1, kind: ConfigMap, metadata: {name: more}}
-- generators/kustomization.yaml --
resources: [generator.yaml]
-- generators/generator.yaml --
{apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: z}, name: z, files: [f.txt]}
-- transformers/kustomization.yaml --
resources: [transformer.yaml]
patches: [{path: own.yaml, target: {kind: PatchTransformer}}]
-- transformers/transformer.yaml --
{apiVersion: builtin, kind: PatchTransformer, metadata: {name: t2}, path: p2.yaml, target: {kind: HelmRelease}}
-- transformers/own.yaml --
- {op: add, path: /metadata/annotations, value: {a: b}}
-- validators/kustomization.yaml --
resources: [validator.yaml]
-- validators/validator.yaml --
{apiVersion: builtin, kind: LabelTransformer, metadata: {name: v}, labels: {}}
`

// The law of the walk: it holds what kustomize asks for, and of a build that succeeds nothing
// else that exists.
func TestWalk(t *testing.T) {
	trees := buildtest.Examples(t, "../../../../testdata")
	trees["every field"] = buildtest.Files(everyField)
	for name, all := range trees {
		source := NewBuilder().Source(name, true, all)
		for _, dir := range buildtest.Folders(all) {
			for _, spec := range []map[string]any{nil, {"components": []any{"../added"}}} {
				if spec == nil || all.IsDir("added") {
					checkWalk(t, name, source, dir, buildtest.Kustomization(spec))
				}
			}
		}
	}
	every := NewBuilder()
	source := every.Source("every field", true, buildtest.Files(everyField))
	if out := every.Build(source, "apps", buildtest.Kustomization(map[string]any{"components": []any{"../added"}})); out.Err != nil {
		t.Error(out.Err)
	}
}

func checkWalk(t *testing.T, name string, source *Source, dir string, ks map[string]any) {
	t.Helper()
	walk := source.Walk(dir, ks)
	for _, shadows := range []bool{true, false} {
		got := kustomize.Reads{}
		_, _, err := source.Job(dir, ks, shadows).Job.Build(got)
		if path := walk.unexpected(got); path != "" {
			t.Errorf("%s, folder %s: kustomize asks for %s, which is not in the walk", name, dir, path)
		}
		if err != nil || shadows || len(walk.Remotes) > 0 {
			continue // not all is read, or patches are in what names them
		}
		for _, path := range slices.Concat(walk.Files, walk.Parts) {
			if _, read := got[kustomize.Question{Path: path}]; !read {
				t.Errorf("%s, folder %s: %s is in the walk, and kustomize does not ask for it", name, dir, path)
			}
		}
	}
}

// What a build asks for beside the walk makes it undetermined: here the patch of a transformer
// that another patch has given its path.
func TestBesideTheWalk(t *testing.T) {
	tree := strings.Replace(everyField, "value: {a: b}}", "value: {a: b}}\n- {op: replace, path: /path, value: p3.yaml}", 1) +
		"-- apps/p3.yaml --\n- {op: add, path: /spec/maxHistory, value: 5}\n"
	b := NewBuilder()
	out := b.Build(b.Source("a", true, buildtest.Files(tree)), "apps", buildtest.Kustomization(nil))
	if out.Err == nil || !strings.Contains(out.Err.Error(), "it reads apps/p3.yaml") || len(out.Resources) > 0 {
		t.Errorf("%v, %v", out.Err, out.Resources)
	}
}

// A kustomization.yaml that kustomize reads and the walk does not, for a key is in it twice, is what is said: of several that
// one which names what the build has read.
func TestUnread(t *testing.T) {
	const twice = "namespace: a\nnamespace: b\n"
	for _, files := range []string{
		"\n-- apps/kustomization.yaml --\n" + twice + "resources: [../base]\n-- base/kustomization.yaml --\nnamePrefix: a-\n",
		"\n-- all/kustomization.yaml --\nresources: [../alone, ../apps]\n-- alone/kustomization.yaml --\n" + twice + "-- apps/kustomization.yaml --\n" + twice +
			"configMapGenerator: [{name: x, files: [key=../apps/./x]}]\n-- apps/x --\n",
	} {
		b := NewBuilder()
		source := b.Source("a", true, buildtest.Files(files))
		dir := "apps"
		if source.IsDir("all") {
			dir = "all"
		}
		out := b.Build(source, dir, buildtest.Kustomization(nil))
		if out.Err == nil || out.Err.Error() != "what apps/kustomization.yaml takes is not known, since it cannot be read" {
			t.Errorf("%s: %v", files, out.Err)
		}
	}
}

// A schema of one build reaches no other, whatever sets it.
func TestSchemaStaysInItsBuild(t *testing.T) {
	const schema = `{"definitions":{"x":{"properties":{"spec":{"properties":{"valuesFrom":{"items":{"type":"object"},"type":"array","x-kubernetes-patch-merge-key":"name","x-kubernetes-patch-strategy":"merge"}},"type":"object"}},"type":"object","x-kubernetes-group-version-kind":[{"group":"helm.toolkit.fluxcd.io","kind":"HelmRelease","version":"v2"}]}}}`
	const patch = `patches: [{patch: "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: app}, spec: {valuesFrom: [{kind: ConfigMap, name: two}]}}"}]`
	s := `
-- app.yaml --
{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: app}, spec: {interval: 1h, valuesFrom: [{kind: ConfigMap, name: one}]}}
-- part/schema.json --
` + schema + `
-- part/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
OpenAPI: {path: schema.json}
-- own/kustomization.yaml --
resources: [../plain]
components: [../part]
-- plain/kustomization.yaml --
resources: [../x]
-- x/kustomization.yaml --
resources: [../app.yaml]
` + patch + `
-- late/kustomization.yaml --
resources: [../app.yaml]
components: [../part]
` + patch + "\n"
	s = strings.ReplaceAll(s, "resources: [../app.yaml]", "resources: [app.yaml]")
	app := s[strings.Index(s, "{apiVersion"):strings.Index(s, "\n-- part/schema")]
	s += "-- x/app.yaml --\n" + app + "\n-- late/app.yaml --\n" + app + "\n"
	b := NewBuilder()
	source := b.Source("a", true, buildtest.Files(s))
	with := buildtest.Kustomization(map[string]any{"components": []any{"../part"}})
	for _, c := range []struct {
		dir  string
		ks   map[string]any
		want int // how many items
	}{{"late", buildtest.Kustomization(nil), 2}, {"plain", buildtest.Kustomization(nil), 1}, {"x", with, 2}, {"x", buildtest.Kustomization(nil), 1}, {"own", buildtest.Kustomization(nil), 1}} {
		out := b.Build(source, c.dir, c.ks)
		if out.Err != nil || len(out.Resources) != 1 {
			t.Fatalf("%s: %v, %v", c.dir, out.Err, out.Resources)
		}
		obj, err := out.Resources[0].Object()
		if err != nil {
			t.Fatal(err)
		}
		spec, _ := obj["spec"].(map[string]any)
		if got, _ := spec["valuesFrom"].([]any); len(got) != c.want {
			t.Errorf("%s: valuesFrom is %v", c.dir, got)
		}
	}
}
