package build

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// both returns what is composed of a folder, nil if nothing is, and what kustomize builds.
func both(source *Source, files *tree.Tree, dir string, ks map[string]any, parts *parts) (composed, built *Result) {
	_, kusts := source.Closure(dir)
	j := job{source: source, files: files, dir: dir, ks: ks, kusts: kusts}
	out, ok := j.compose(reads{}, parts)
	if !ok {
		return nil, nil
	}
	return out, j.build(reads{})
}

// sameResult reports whether two results are the same to whoever asks them.
func sameResult(a, b *Result) bool {
	if a.Err != nil || b.Err != nil || len(a.Resources) != len(b.Resources) ||
		!reflect.DeepEqual(a.Foreign, b.Foreign) || !reflect.DeepEqual(a.PassedOver, b.PassedOver) {
		return false
	}
	for i := range a.Resources {
		x, y := a.Resources[i], b.Resources[i]
		one, err1 := x.Object()
		other, err2 := y.Object()
		text, err3 := x.text()
		otherText, err4 := y.text()
		if x.Kind != y.Kind || x.Name != y.Name || x.Namespace != y.Namespace || x.substitutionOff() != y.substitutionOff() ||
			err1 != nil || err2 != nil || err3 != nil || err4 != nil || !reflect.DeepEqual(one, other) || string(text) != string(otherText) {
			return false
		}
	}
	return true
}

// specs are settings of Flux Kustomizations, the first of which has none.
func specs() []map[string]any {
	patch := func(text string, target map[string]any) []any {
		return []any{map[string]any{"patch": text, "target": target}}
	}
	release := "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: _\nspec:\n  timeout: 7m\n  install: null\n  values:\n    a: {b: 1}\n"
	return []map[string]any{
		nil,
		{"targetNamespace": "elsewhere", "postBuild": map[string]any{"substitute": map[string]any{"A": "b"}}},
		{"patches": patch(release, map[string]any{"kind": "HelmRelease"})},
		{"targetNamespace": "elsewhere", "patches": patch("- {op: add, path: /spec/timeout, value: 8m}\n", map[string]any{"group": "helm.*"})},
		{"patches": patch(release, map[string]any{"name": ".*-a.*", "namespace": "a.*|default"})},
	}
}

// The law of what is composed: kustomize builds the same. Every folder of every example is
// built under three settings, with shadows or without.
func TestComposedIsWhatKustomizeBuilds(t *testing.T) {
	composed, b := 0, NewBuilder()
	for name, files := range examples(t) {
		source := b.Source(name, true, files)
		for n, dir := range foldersOf(files) {
			others := specs()[1:]
			for i, spec := range []map[string]any{nil, others[n%len(others)], others[(n+1)%len(others)]} {
				of := []*tree.Tree{source.traced, source.traced, source.plain}[i]
				got, want := both(source, of, dir, kustomization(spec), b.parts)
				if got == nil {
					continue
				}
				composed++
				if !sameResult(got, want) {
					t.Errorf("%s, folder %s, %v: composed %v, kustomize builds %v", name, dir, spec, got, want)
				}
			}
		}
	}
	if composed < 300 {
		t.Errorf("only %d builds are composed", composed)
	}
}

func foldersOf(files *tree.Tree) []string {
	out := []string{"."}
	for _, name := range files.Paths() {
		for dir := path.Dir(name); !slices.Contains(out, dir); dir = path.Dir(dir) {
			out = append(out, dir)
		}
	}
	return out
}

// examples are the trees of testdata.
func examples(t *testing.T) map[string]*tree.Tree {
	t.Helper()
	const data = "../../../../testdata/"
	out := map[string]*tree.Tree{}
	folders, err := filepath.Glob(data + "fleet/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range append(folders, data+"demo") {
		files, err := tree.Folder(context.Background(), dir, tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out[dir] = files
	}
	archives, err := filepath.Glob(data + "hostile/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range archives {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = files(string(txtar.Format(txtar.Parse(data))))
	}
	return out
}

// The same law for what is not as it looks: kustomize refuses a file that says no more than its
// kind, keeps the style of what a merge replaces, and writes annotations of its own before it
// applies operations.
func TestComposedOddities(t *testing.T) {
	const head = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app}\n"
	trees := [][]string{
		{"kustomization.yaml", "resources: [inner]\n", "inner/kustomization.yaml", "kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\n"},
		{"kustomization.yaml", "resources: [app.yaml]\ncomponents: [inner]\n", "app.yaml", head, "inner/kustomization.yaml", "kind: Component\n"},
	}
	for _, c := range [][]string{
		{`a: "3"`, head + "spec: {a: 5}\n"},
		{`a: 'false'`, head + "spec: {a: true}\n"},
		{"a: |-\n    3", head + "spec: {a: 5}\n"},
		{"a: yes", head + "spec: {a: on}\n", head + "spec: {a: true}\n"},
		{"a: 3", head + "spec: {a: '5'}\n", head + "spec: {a: 6}\n"},
		{"a: true", head + "spec: {a: x}\n"},
		{"a: 1", "- {op: test, path: ''}\n"},
		{"a: 1", "- {op: test, path: '', value: {}}\n"},
		{"a: 1", "- {op: test, path: a/metadata, value: {name: app}}\n"},
		{"a: 1", "- {op: test, path: /metadata/annotations}\n- {op: add, path: /spec/b, value: 1}\n"},
		{"a: 1", "- {op: copy, from: /metadata, path: /spec/b}\n"},
		{"a: 1", "- {op: copy, from: /spec/c, path: /metadata/annotations}\n"},
		{"a: 1", "- {op: add, path: /metadata/annotations, value: null}\n"},
	} {
		files, patches := []string{"app.yaml", head + "spec:\n  " + c[0] + "\n"}, "patches:\n"
		for i, p := range c[1:] {
			name := fmt.Sprintf("p%d.yaml", i)
			files, patches = append(files, name, p), patches+"- {path: "+name+", target: {kind: HelmRelease}}\n"
		}
		trees = append(trees, append(files, "kustomization.yaml", "resources: [app.yaml]\n"+patches))
	}
	for _, of := range trees {
		contents := map[string][]byte{}
		for i := 0; i < len(of); i += 2 {
			contents[of[i]] = []byte(of[i+1])
		}
		b := NewBuilder()
		source := b.Source("odd", true, tree.Of(nil).With(contents))
		for _, files := range []*tree.Tree{source.traced, source.plain} {
			if got, want := both(source, files, ".", kustomization(nil), b.parts); got != nil && !sameResult(got, want) {
				t.Errorf("composed %v, kustomize builds %v (%v)\n%q", got.Resources, want.Resources, want.Err, of)
			}
		}
	}
}

// FuzzCompose states the same law for any texts of a file and of a patch.
func FuzzCompose(f *testing.F) {
	const head = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: app\n"
	for _, seed := range plainSeeds {
		f.Add(head+"spec:\n"+indent(seed), head+"spec:\n  a: 2\n  b: null\n  c:\n    d: x\n")
		f.Add(head+"spec:\n  a: 2\n  b: [1]\n  c: {d: x}\n", head+"spec:\n"+indent(seed))
		f.Add(head+"  annotations:\n  "+indent(indent(seed))+"\n", "- op: remove\n  path: /spec\n")
	}
	f.Add(head+"---\n"+head+"  namespace: x\n--- # y\n...\n%\n", head)
	f.Add(head+"  labels: {a: 1}\n  annotations: {config.kubernetes.io/local-config: 'true'}\n", "[{op: add, path: /spec, value: {a: 1}}]")
	f.Add("apiVersion: v1\nkind: ServiceList\nitems:\n- {kind: A, metadata: {name: b}}\n", "$patch: delete\n"+head)
	f.Add("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: {a: b}}}}\n", head)
	f.Add(head+"# {\"$openapi\": \"x\"}\nspec:\n  a: &x [1.5, 0.50, 1e3]\n  b: *x\n  c: # a\n\n  # b\n  - 1\n", head+"spec: {a: [2], b: {c: 1}}\n")
	f.Add(head+"spec: {a: \"3\", b: 'false', c: yes}\n", head+"spec: {a: 5, b: true, c: on}\n")
	f.Add(head, "- {op: test, path: ''}\n")
	f.Add(head, "- {op: test, path: /metadata/annotations}\n- {op: add, path: /spec, value: {}}\n")
	f.Fuzz(func(t *testing.T, text, patch string) {
		files := tree.Of(nil).With(map[string][]byte{
			"base/kustomization.yaml": []byte("resources: [app.yaml]\nnamespace: base\n"), "base/app.yaml": []byte(text),
			"over/kustomization.yaml":   []byte("resources: [../base, ../plain]\npatches: [{path: patch.yaml}]\n"),
			"over/patch.yaml":           []byte(patch),
			"chosen/kustomization.yaml": []byte("resources: [../plain]\npatches: [{path: patch.yaml, target: {kind: HelmRelease}}]\n"),
			"chosen/patch.yaml":         []byte(patch),
			"plain/kustomization.yaml":  []byte("resources: [app.yaml]\n"), "plain/app.yaml": []byte(text),
		})
		b := NewBuilder()
		source := b.Source("fuzz", true, files)
		for _, dir := range []string{"base", "plain", "over", "chosen"} {
			for _, of := range []*tree.Tree{source.traced, source.plain} {
				if got, want := both(source, of, dir, kustomization(nil), b.parts); got != nil && !sameResult(got, want) {
					t.Errorf("folder %s: composed %v, kustomize builds %v (%v)\n%q\n%q", dir, got.Resources, want.Resources, want.Err, text, patch)
				}
			}
		}
	})
}
