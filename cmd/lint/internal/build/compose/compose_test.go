package compose_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/buildtest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/compose"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// outcome is what a caller sees of a build.
type outcome struct {
	kept    []*resource.Resource
	foreign []string
	over    []resource.PassedOver
	aside   []string
}

func outcomeOf(all []resource.Outcome, aside []string, substitutes bool) outcome {
	out := outcome{aside: aside}
	for _, one := range all {
		if one.Foreign != "" {
			out.foreign = append(out.foreign, one.Foreign)
		}
		if one.Kept != nil {
			out.kept = append(out.kept, one.Kept)
		} else if substitutes && (len(one.Over.Needs) > 0 || one.Over.Err != nil) {
			out.over = append(out.over, one.Over)
		}
	}
	return out
}

// isSame composes a build and has kustomize build it. It reports whether it is composed, and fails if kustomize builds
// something else.
func isSame(t *testing.T, j compose.Job, c *compose.Composer, what ...any) bool {
	t.Helper()
	composed, doubt := c.Build(j, kustomize.Reads{})
	if doubt != "" {
		return false
	}
	built, aside, err := j.Job.Build(kustomize.Reads{})
	got, want := outcomeOf(composed.Outcomes, composed.Aside, j.Substitutes()), outcomeOf(resource.OutcomesOf(built), aside, j.Substitutes())
	if err != nil || len(got.kept) != len(want.kept) || !slices.EqualFunc(got.kept, want.kept, sameResource) ||
		!slices.Equal(got.aside, want.aside) || !reflect.DeepEqual(got.foreign, want.foreign) || !reflect.DeepEqual(got.over, want.over) {
		t.Errorf("%q: composed %v, kustomize builds %v (%v)", what, got, want, err)
	}
	return true
}

// sameResource reports whether two resources are the same, also under variables, which are substituted in the text of all
// of it if their values are odd.
func sameResource(a, b *resource.Resource) bool {
	one, err1 := a.Object()
	other, err2 := b.Object()
	same := a.Kind == b.Kind && a.Name == b.Name && a.Namespace == b.Namespace && fmt.Sprint(err1) == fmt.Sprint(err2) && reflect.DeepEqual(one, other)
	for _, value := range []string{"b", "{b: c"} {
		v := &variables.Variables{On: true, Values: map[string]string{"A": value, "B": value, "X": value}}
		one, reasons1, err1 := a.Substitute(v)
		other, reasons2, err2 := b.Substitute(v)
		same = same && fmt.Sprint(err1) == fmt.Sprint(err2) && reflect.DeepEqual(one, other) && maps.Equal(reasons1, reasons2)
	}
	return same
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
	composed, b, c := 0, build.NewBuilder(), compose.New()
	for name, files := range buildtest.Examples(t, "../../../../../testdata") {
		source := b.Source(name, true, files)
		for n, dir := range buildtest.Folders(files) {
			others := specs()[1:]
			for i, spec := range []map[string]any{nil, others[n%len(others)], others[(n+1)%len(others)]} {
				if isSame(t, source.Job(dir, buildtest.Kustomization(spec), i < 2), c, name, dir, spec) {
					composed++
				}
			}
		}
	}
	if composed < 300 {
		t.Errorf("only %d builds are composed", composed)
	}
}

// The same law for what is not as it looks: kustomize refuses a file that says no more than its
// kind, keeps the style of what a merge replaces, and writes annotations of its own before it
// applies operations.
func TestComposedOddities(t *testing.T) {
	const head = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app}\n"
	trees := [][]string{
		{"kustomization.yaml", "resources: [inner]\n", "inner/kustomization.yaml", "kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\n"},
		{"kustomization.yaml", "components: [inner]\n", "inner/app.yaml", head, "inner/kustomization.yaml", "kind: Component\nresources: [app.yaml]\n"},
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
	composed := 0
	for _, of := range slices.Concat(trees, aloneTrees(), chosenTrees(), remoteTrees()) {
		contents := map[string][]byte{}
		for i := 0; i < len(of); i += 2 {
			contents[of[i]] = []byte(of[i+1])
		}
		source, c := build.NewBuilder().Source("odd", true, tree.Of(nil).With(contents)), compose.New()
		for _, shadows := range []bool{true, false} {
			for _, dir := range []string{".", "own"} {
				if isSame(t, source.Job(dir, buildtest.Kustomization(nil), shadows), c, dir, of) {
					composed++
				}
			}
		}
	}
	if composed < 400 {
		t.Errorf("only %d builds are composed", composed)
	}
}

// aloneTrees are trees of which kustomize builds a file or generators alone.
func aloneTrees() [][]string {
	const (
		head    = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app}\n"
		config  = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made}\ndata: {a: b}\n"
		deploy  = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: helm-controller, namespace: a}\nspec: {template: {spec: {containers: [{name: manager, args: [a]}], volumes: [{name: v, configMap: {name: made}}]}}}\n"
		account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: made, annotations: {a: b}}\nsecrets: [{name: a}]\n"
		makes   = "configMapGenerator: [{name: made, literals: [a=b]}]\n"
		all     = "{kind: HelmRelease}}]\n"
	)
	base := func(kustomization string, more ...string) []string {
		return append([]string{"base/kustomization.yaml", kustomization, "kustomization.yaml", "resources: [base]\nnamespace: over\n"}, more...)
	}
	own := func(text, patch string) []string {
		return []string{
			"own/kustomization.yaml", "resources: [app.yaml]\nnamespace: inner\npatches: [{path: p.yaml}]\n", "own/app.yaml", text, "own/p.yaml", patch,
			"kustomization.yaml", "resources: [own]\npatches: [{path: own/p.yaml, target: {name: made}}]\n",
		}
	}
	patched := func(text, patch string) []string {
		return []string{
			"base/kustomization.yaml", "resources: [app.yaml]\nnamespace: base\n", "base/app.yaml", text, "base/p.yaml", patch,
			"kustomization.yaml", "resources: [base]\nnamespace: over\npatches: [{path: base/p.yaml, target: " + all,
			"own/kustomization.yaml", "resources: [app.yaml]\npatches: [{path: p.yaml}]\n", "own/app.yaml", text, "own/p.yaml", patch,
		}
	}
	return [][]string{
		base("resources: [app.yaml]\n"+makes, "base/app.yaml", head),
		base("resources: [app.yaml]\n"+makes, "base/app.yaml", deploy),
		base("resources: [app.yaml]\n"+makes, "base/app.yaml", config),
		base("resources: [app.yaml]\nnamespace: inner\nsecretGenerator: [{name: made, files: [x.txt], type: b}]\n"+makes, "base/app.yaml", head, "base/x.txt", "é"),
		base("resources: [app.yaml]\ngeneratorOptions: {disableNameSuffixHash: true, labels: {a: b}}\n"+makes, "base/app.yaml", head),
		base("resources: [app.yaml]\npatches: [{patch: '[{op: add, path: /data/c, value: d}]', target: {kind: ConfigMap}}]\n"+makes, "base/app.yaml", head),
		base("resources: [app.yaml]\nconfigMapGenerator: [{name: made, behavior: merge, literals: [a=c]}]\n", "base/app.yaml", config),
		base("resources: [app.yaml]\nconfigMapGenerator: [{name: made, namespace: x, envs: [missing.env]}]\n", "base/app.yaml", head),
		base("resources: [app.yaml]\nconfigMapGenerator: [{name: 'a${B}', literals: [a=b]}]\n", "base/app.yaml", head),
		base("resources: [app.yaml]\ngeneratorOptions: {annotations: {config.kubernetes.io/local-config: 'true'}}\n"+makes, "base/app.yaml", head),
		base("resources: [app.yaml]\nconfigMapGenerator: {name: made}\n", "base/app.yaml", head),
		base("resources: [app.yaml]\ngeneratorOptions: []\n", "base/app.yaml", head),
		base("resources: [app.yaml]\nconfigMapGenerator: [{name: made, files: [kustomization.yaml]}]\n", "base/app.yaml", head),
		base("resources: [app.yaml]\npatches: [{patch: 'a: [', target: {kind: Job}}]\n", "base/app.yaml", head),
		base("resources: [app.yaml]\npatches: [{path: p.yaml, target: {kind: Job}}]\n", "base/app.yaml", head, "base/p.yaml", head+"---\n"+head+"spec: {a: 007}\n"),
		base("resources: [app.yaml]\npatches: [{path: p.yaml, target: {name: app}}, {path: q.yaml, target: {namespace: over}}]\n", "base/app.yaml", head+"spec: {a: 007}\n",
			"base/p.yaml", "- {op: add, path: /metadata/namespace, value: over}\n", "base/q.yaml", "- {op: add, path: /spec/timeout, value: 7m}\n"),
		base("resources: [app.yaml]\npatches: [{path: p.yaml, target: {name: app}}, {path: q.yaml, target: {kind: Other}}, {path: r.yaml, target: {name: app}}]\n", "base/app.yaml", head+"spec: {a: 007}\n",
			"base/p.yaml", "- {op: replace, path: /kind, value: Other}\n", "base/q.yaml", "- {op: add, path: /spec/timeout, value: 7m}\n", "base/r.yaml", "- {op: replace, path: /kind, value: HelmRelease}\n"),
		base("resources: [app.yaml]\ncomponents: [../part]\n"+makes, "base/app.yaml", head, "part/kustomization.yaml", "kind: Component\nnamespace: c\n"+makes),
		base("resources: [app.yaml]\ncomponents: [../part]\n", "base/app.yaml", head, "part/kustomization.yaml", "kind: Component\nnamespace: c\n"+makes),
		patched(head+"spec: {values: {a: \"ü😀\", b: 0755, c: False}}\n", head+"spec: {timeout: 7m, values: {a: b, b: 7}}\n"),
		patched(head+"spec: {values: {a: 007}}\n---\n"+config, "- {op: add, path: /spec/timeout, value: 7m}\n"),
		patched(head+"spec:\n  timeout: 7m # {\"$imagepolicy\": \"a:b\"}\n", head+"spec: {timeout: 8m}\n"),
		patched(head+"spec: {values: {a: 007}}\n", head+"spec: {$patch: delete}\n"),
		patched(head+"spec: {values: {a: 1}}\n", head+"spec: {values: {a: 007, b: False, c: }}\n"),
		patched(head+"spec: {values: {a: 1}}\n---\n"+config, "# one\n"+head+"spec: {values: {a: 007}}\n---\n"+config+"# two\n"),
		patched(head+"spec: {values: {a: 1}}\n", head+"spec: {values: {a: 007}}\n$patch: delete\n"),
		patched(head+"spec: {values: {a: 1}}\n", head+"spec: {values: {a: 007, $patch: replace}}\n"),
		patched(head+"spec: {values: {a: 1}}\n", head+"spec: {values: {a: 007, a: 008}}\n"),
		patched(head+"spec: {values: {a: 1}}\n", head+"spec: {x: &x {a: 007}, values: {<<: *x}}\n<<: {metadata: {name: other}}\n"),
		patched("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: '007'}\nspec: {a: 1}\n", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: 007}\nspec: {a: 007}\n"),
		patched(head+"spec: {values: {a: 1}}\n", head+"spec: {a: 007} # {\"x-kubernetes-patch-strategy\": \"merge\"}\n"),
		patched(head+"spec: {values: {a: 007}}\n", "$patch: delete\n"+head),
		patched(head+"spec: {values: {a: 007}}\n", head+"---\n"+head),
		patched(head+"spec: {values: {a: 007}}\n", head+"spec: {timeout: 7m}\n---\n# more\n"+head+"spec: {interval: 7m, values: {a: null}}\n---\n"),
		patched(head+"spec: {values: {a: 007}}\n---\n"+config, head+"spec: {timeout: 7m}\n---\n"+config),
		patched(head+"spec: {values: {a: 007}}\n", head+"spec: {timeout: 7m}\n---\n"+config),
		patched(head+"spec: {values: {a: 007}}\n", "- {op: replace, path: /metadata/name, value: other}\n"),
		patched(head+"spec: {values: {a: 007}}\n", "- {op: add, path: /metadata/annotations, value: {config.kubernetes.io/local-config: 'true'}}\n"),
		patched(head+"spec: {values: {a: \"ü\", b: , c: \"x\\ny\"}}\n", head+"spec: {timeout: \"→\", values: {b: x, c: \"y\\n\"}}\n"),
		own(config, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made, labels: {x: y}}\ndata: {a: null, c: '${D}'}\n"),
		own(config, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made, finalizers: [x]}\ndata: {a: 5}\n"),
		own("apiVersion: v1\nkind: Namespace\nmetadata: {name: made, finalizers: [y]}\n", "apiVersion: v1\nkind: Namespace\nmetadata: {name: made, finalizers: [x]}\n"),
		own("apiVersion: v1\nkind: Secret\nmetadata: {name: made, finalizers: [y]}\n", "apiVersion: v1\nkind: Secret\nmetadata: {name: made, finalizers: [x]}\n"),
		own(config, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made, annotations: null}\ndata: null\nimmutable: true\n"),
		own(account, "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: made, annotations: {c: d}}\n"),
		own(account, "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: made}\nsecrets: [{name: b}]\nautomountServiceAccountToken: false\n"),
		own("apiVersion: v1\nkind: Namespace\nmetadata: {name: made}\n", "apiVersion: v1\nkind: Namespace\nmetadata: {name: made, labels: {a: b}}\nspec: {finalizers: [x]}\n"),
		patched(head+"spec: {timeout: \"3\"}\n", head+"spec: {timeout: 5}\n"),
		patched(head+"spec: {a: 1}\n", head+"spec: {values: {a: null, b: {c: null, d: 1}, e: {f: null}, g: [null]}}\n"),
		patched(head+"spec:\n  upgrade:\n    strategy:\n", head+"spec: {timeout: 5m}\n"),
		patched(head+"spec:\n  upgrade:\n    strategy: null\n", head+"spec: {timeout: 5m}\n"),
		patched(head+"spec: {upgrade: {strategy: , remediation: null, timeout: ~}}\n", head+"spec: {upgrade: {timeout: 5m}}\n"),
		patched(head+"spec: {a: 007}\n---\napiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Secret, metadata: {name: a}}]\n", head+"spec: {b: 1}\n"),
		{"kustomization.yaml", "resources: [a.yaml]\npatches: [{path: p.yaml}]\n", "a.yaml", deploy, "p.yaml", deploy + "# ü\n"},
		{"kustomization.yaml", "resources: [a.yaml]\npatches: [{path: p.yaml}]\n", "a.yaml", deploy, "p.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: helm-controller, namespace: a}\nspec: {template: {spec: {containers: [{name: manager, args: [b]}, {name: x}]}}}\n"},
		{"kustomization.yaml", "resources: [a.yaml]\npatches: [{path: p.yaml, target: {name: app}}]\n", "a.yaml", head, "p.yaml", strings.Replace(head, "app", "other, namespace: elsewhere", 1) + "spec: {a: 2}\n"},
		{"kustomization.yaml", "resources: [a.yaml]\nnamespace: b\n", "a.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\nspec: {a: 007}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n---\n" + config},
	}
}

// chosenTrees are trees whose patches choose by labels and annotations, which a kustomization.yaml may set.
func chosenTrees() [][]string {
	const head = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: app\n"
	var out [][]string
	for _, selector := range []string{
		"labelSelector: a=b", "labelSelector: a!=b", "labelSelector: 'a in (b, c)'", "labelSelector: '!a'", "labelSelector: 'a=='", "labelSelector: a=b=c",
		"annotationSelector: c/d != off", "annotationSelector: c/d=off", "annotationSelector: '!internal.config.kubernetes.io/previousNames'", "annotationSelector: 'x >'",
		"labelSelector: a=b, annotationSelector: c/d=off", "labelSelector: team=x", "name: app, labelSelector: a=b",
	} {
		for _, release := range []string{
			head + "spec: {a: 1}\n", head + "  labels: {a: b}\nspec: {a: 1}\n", head + "  annotations: {c/d: 'off'}\nspec: {a: 007}\n",
			head + "  labels: {a: b}\n  annotations: {c/d: 'off'}\nspec: {a: x} # {\"$imagepolicy\": \"flux-system:a\"}\n",
		} {
			for _, patch := range []string{head + "spec: {b: '7${A}'} # {\"$imagepolicy\": \"a:b:tag\"}\n", "- {op: add, path: /spec/b, value: '7${A}'}\n"} {
				out = append(out, []string{
					"kustomization.yaml", "resources: [own]\nlabels: [{pairs: {team: x}}]\npatches: [{path: p.yaml, target: {" + selector + "}}]\n", "p.yaml", patch,
					"own/kustomization.yaml", "resources: [app.yaml]\nnamespace: own\nlabels: [{pairs: {team: x}}, {pairs: {more: 'Yes'}, includeSelectors: false}]\n", "own/app.yaml", release,
				})
			}
		}
	}
	for _, of := range []string{"namespace: default", "namespace: own", "namespace: over", "kind: Namespace, name: app", "kind: Namespace, name: own"} { // ids from before count, too
		out = append(out, []string{
			"kustomization.yaml", "resources: [own]\ncomponents: [one, two]\nnamespace: over\npatches: [{path: p.yaml, target: {" + of + "}}]\n", "p.yaml", "- {op: add, path: /metadata/labels, value: {a: b}}\n",
			"one/kustomization.yaml", "kind: Component\nlabels: [{pairs: {one: x}}]\n", "two/kustomization.yaml", "kind: Component\nlabels: [{pairs: {two: x}}]\n",
			"own/kustomization.yaml", "resources: [app.yaml]\nnamespace: own\n", "own/app.yaml", head + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: app}\n",
		})
	}
	const deploy = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: helm-controller, namespace: a}\nspec: {template: {spec: {containers: [{name: manager, args: [a]}]}}}\n"
	for _, labels := range []string{
		"[{pairs: {a: b}, includeSelectors: true}]", "[{pairs: {a: b}, includeTemplates: true}]", "[{pairs: {a: 5}}]", "[{pairs: {}}]", "[]", "[{}]", "{a: b}", "[{pairs: {a: ${B}}}]",
		"[{pairs: {a: b}, fields: [{path: spec/labels, create: true}]}]", "[{pairs: {a: 007}}]", "[{pairs: {config.kubernetes.io/local-config: 'true'}}]", "[{pairs: {a: b}}, {pairs: {a: c}}]",
	} {
		for _, text := range []string{head + "  labels: {a: x}\n", head + "  labels:\n", head + "---\n" + deploy, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n"} {
			out = append(out, []string{"kustomization.yaml", "resources: [app.yaml]\nnamespace: over\nlabels: " + labels + "\n", "app.yaml", text})
		}
	}
	for _, comment := range []string{
		`{"$imagepolicy": "a:b"}`, `{"$imagepolicy":"a:b:name"} # more`, `{"$imagepolicy": "a:b"} {"x-kubernetes-patch-strategy": "merge"}`, `{"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name"}`,
	} {
		list := head + "spec:\n  values: # " + comment + "\n  - name: a # " + comment + "\n    b: 1\n"
		out = append(out,
			[]string{"kustomization.yaml", "resources: [app.yaml]\npatches: [{path: p.yaml, target: {kind: HelmRelease}}] # " + comment + "\n", "app.yaml", list, "p.yaml", strings.Replace(list, "b: 1", "c: 2", 1)},
			[]string{"kustomization.yaml", "resources: [app.yaml]\npatches: # " + comment + "\n- patch: |\n" + buildtest.Indent(buildtest.Indent(list)), "app.yaml", list})
	}
	return out
}

// remoteTrees are trees of which something would have to be fetched.
func remoteTrees() [][]string {
	const (
		head   = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app}\n"
		other  = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: far}\nspec: {replicas: 2}\n"
		remote = "https://example.com/far.yaml"
	)
	var out [][]string
	for _, inner := range []string{
		"resources: [" + remote + "]\n", "resources: [app.yaml, " + remote + "]\nnamespace: own\n", "resources: [app.yaml]\ncomponents: ['" + remote + "//c?ref=v1']\n",
		"resources: [app.yaml, " + remote + "]\npatches: [{path: far.yaml}]\n", "resources: [app.yaml, " + remote + "]\npatches: [{path: both.yaml}, {path: far.yaml}]\n",
		"resources: [app.yaml, " + remote + "]\npatches: [{path: both.yaml}, {path: far.yaml}, {path: '" + remote + "', target: {kind: HelmRelease}}]\nlabels: [{pairs: {a: b}}]\n",
		"resources: [app.yaml]\nconfigMapGenerator: [{name: made, files: ['" + remote + "'], literals: [a=b]}]\n", "components: ['" + remote + "//c?ref=v1']\n",
		"resources: [app.yaml]\ncrds: [" + remote + "]\n",
	} {
		for _, outer := range []string{
			"resources: [own]\n", "resources: [own]\nnamespace: over\npatches: [{path: own/far.yaml}]\n", "resources: [own, own/far.yaml]\npatches: [{path: own/far.yaml}]\n",
			"resources: [own, " + remote + "]\npatches: [{patch: '" + `{"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": "app"}, "spec": {"timeout": "7m"}}` + "'}]\n",
			"resources: [" + remote + "]\npatches: [{patch: '[{op: add, path: /spec/a, value: 1}]', target: {kind: Job}}]\n",
		} {
			out = append(out, []string{
				"kustomization.yaml", outer, "own/kustomization.yaml", inner, "own/app.yaml", head + "spec: {a: 1}\n", "own/far.yaml", other, "own/both.yaml", head + "spec: {b: 2}\n---\n" + other,
			})
		}
	}
	return out
}

// FuzzCompose states the same law for any texts of a file and of a patch.
func FuzzCompose(f *testing.F) {
	const head = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: app\n"
	for _, seed := range buildtest.Seeds {
		f.Add(head+"spec:\n"+buildtest.Indent(seed), head+"spec:\n  a: 2\n  b: null\n  c:\n    d: x\n")
		f.Add(head+"spec:\n  a: 2\n  b: [1]\n  c: {d: x}\n", head+"spec:\n"+buildtest.Indent(seed))
		f.Add(head+"  annotations:\n  "+buildtest.Indent(buildtest.Indent(seed))+"\n", "- op: remove\n  path: /spec\n")
	}
	f.Add(head+"---\n"+head+"  namespace: x\n--- # y\n...\n%\n", head)
	f.Add(head+"  labels: {a: 1}\n  annotations: {config.kubernetes.io/local-config: 'true'}\n", "[{op: add, path: /spec, value: {a: 1}}]")
	f.Add("apiVersion: v1\nkind: ServiceList\nitems:\n- {kind: A, metadata: {name: b}}\n", "$patch: delete\n"+head)
	f.Add("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: {a: b}}}}\n", head)
	f.Add(head+"# {\"$openapi\": \"x\"}\nspec:\n  a: &x [1.5, 0.50, 1e3]\n  b: *x\n  c: # a\n\n  # b\n  - 1\n", head+"spec: {a: [2], b: {c: 1}}\n")
	f.Add(head+"spec: {a: \"3\", b: 'false', c: yes}\n", head+"spec: {a: 5, b: true, c: on}\n")
	f.Add(head, "- {op: test, path: ''}\n")
	f.Add(head+"spec: {a: ü, b: 0755, c: [1, False]}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n", head+"spec: {a: x, b: 7}\n")
	f.Add(head+"spec: {a: \"😀\"}\n", "- {op: replace, path: /spec/a, value: [ü]}\n")
	f.Add(head, "- {op: test, path: /metadata/annotations}\n- {op: add, path: /spec, value: {}}\n")
	f.Fuzz(func(t *testing.T, text, patch string) {
		files := tree.Of(nil).With(map[string][]byte{
			"base/kustomization.yaml": []byte("resources: [app.yaml]\nnamespace: base\n"), "base/app.yaml": []byte(text),
			"over/kustomization.yaml":   []byte("resources: [../base, ../plain]\npatches: [{path: patch.yaml}]\n"),
			"over/patch.yaml":           []byte(patch),
			"chosen/kustomization.yaml": []byte("resources: [../plain]\npatches: [{path: patch.yaml, target: {kind: HelmRelease}}]\n"),
			"chosen/patch.yaml":         []byte(patch),
			"plain/kustomization.yaml":  []byte("resources: [app.yaml]\n"), "plain/app.yaml": []byte(text),
			"made/kustomization.yaml": []byte("resources: [../plain]\nconfigMapGenerator: [{name: made, files: [app.yaml]}]\nnamespace: made\n"), "made/app.yaml": []byte(text),
		})
		source, c := build.NewBuilder().Source("fuzz", true, files), compose.New()
		for _, dir := range []string{"base", "plain", "over", "chosen", "made"} {
			for _, shadows := range []bool{true, false} {
				isSame(t, source.Job(dir, buildtest.Kustomization(nil), shadows), c, dir, text, patch)
			}
		}
	})
}
