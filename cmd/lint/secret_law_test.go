package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// secretTrees is how many random trees TestSecretLaw looks at; the seed is that of the tree.
const secretTrees = 24

// secretForms are the values that Secrets of random trees hold, as they may be looked for in output.
var secretForms = []string{"canary", "CANARY-one", "canary.two/three", "CANARY four five", "canary-{x}", "canary:y", "8642"}

// secretPlaces are what a random tree may hold, each with a variable that a Secret supplies. A
// document of a kind that begins with the name of a field is put into the release.
var secretPlaces = []struct{ in, text string }{
	{"release", `  install: {"${S}": 1}`},
	{"release", `  upgrade: {remediation: {"${S}": 3, retries: 2}}`},
	{"release", `  "${S}": {x: y}`},
	{"release", `  install: {remediation: {retries: "${S}"}}`},
	{"release", `  upgrade: {strategy: {name: "${S}"}}`},
	{"release", `  upgrade: {strategy: {name: RetryOnFailure, retryInterval: "${S}"}}`},
	{"release", `  timeout: "${S}"`},
	{"release", `  maxHistory: "${S}"`},
	{"release", `  dependsOn: [{name: "${S}", namespace: "${S}"}]`},
	{"release", `  valuesFrom: [{kind: Secret, name: "${S}", "${S}": x}]`},
	{"release", `  valuesFrom: [{kind: "${S}", name: x}]`},
	{"release", `  values: {"${S}": {"${S}": "${S}"}}`},
	{"release", `  targetNamespace: "${S}"`},
	{"release", `  driftDetection: {mode: "${S}", "${S}": x}`},
	{"release", `  test: {enable: "${S}"}`},
	{"release", `  chart: {spec: {chart: "${S}", version: "${S}", sourceRef: {kind: HelmRepository, name: "${S}"}}}`},
	{"release", `  "a${S}b": x`},
	{"metadata", `labels: {"${S}": "${S}"}`},
	{"metadata", `annotations: {"${S}": "${S}"}`},
	{"metadata", `annotations: {"flux-remedy.io/${S}": "${S}"}`},
	{"metadata", `annotations: {flux-remedy.io/waive: "${S}: x"}`},
	{"metadata", `labels: {environment: "${S}"}`},
	{"name", `"${S}"`},
	{"namespace", `"${S}"`},
	{"apiVersion", `"helm.toolkit.fluxcd.io/${S}"`},
	{"apiVersion", `"${S}/v2"`},
	{"kind", `"Helm${S}"`},
	{"child", `  path: "./${S}"`},
	{"child", `  path: ./child${S:+/}x${S}`},
	{"child", `  targetNamespace: "${S}"`},
	{"child", `  "${S}": x`},
	{"child", `  dependsOn: [{name: "${S}"}]`},
	{"child", `  sourceRef: {kind: GitRepository, name: "${S}"}`},
	{"child", `  sourceRef: {kind: "${S}", name: "x"}`},
	{"child", `  postBuild: {substitute: {"${S}": "${S}"}}`},
	{"child", `  postBuild: {substitute: {INNER: "${S}"}}`},
	{"child", `  postBuild: {substituteFrom: [{kind: ConfigMap, name: "${S}"}]}`},
	{"child", `  patches: [{target: {kind: HelmRelease, name: "${S}"}, patch: "${S}"}]`},
	{"child", `  patches: [{target: {kind: HelmRelease}, patch: "[{op: add, path: /spec/${S}/x, value: 1}]"}]`},
	{"child", `  patches: [{patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: \"${S}\"}}"}]`},
	{"child", `  components: ["../${S}"]`},
	{"child", `  images: [{name: x, newTag: "${S}"}]`},
	{"child", `  interval: "${S}"`},
	{"child", `  kubeConfig: {secretRef: {name: "${S}"}}`},
	{"child", `  serviceAccountName: "${S}"`},
	{"childname", `"${S}"`},
	{"more", "apiVersion: \"${S}/v1\"\nkind: Kustomization\nmetadata: {name: x}"},
	{"more", "apiVersion: v1\nkind: \"${S}\"\nmetadata: {name: x}"},
	{"more", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"${S}\"}\ndata: {\"${S}\": \"${S}\"}"},
	{"more", "apiVersion: v1\nkind: Service\nmetadata: {name: \"${S}\"}\nspec: {\"${S}\": \"${UNDEFINED}\"}"},
	{"more", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: helm-controller, namespace: flux-system}\nspec: {template: {spec: {containers: [{name: m, image: \"ghcr.io/fluxcd/helm-controller:${S}\", args: [\"--feature-gates=${S}=true\"]}]}}}"},
	{"more", "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: other, namespace: flux-system}\nspec: {url: \"https://x/${S}\", ref: {branch: \"${S}\"}, ignore: \"${S}\"}"},
	{"more", "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: \"${S}\", namespace: x}\nspec: {inputs: [{a: \"${S}\"}], resources: [{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: \"<< inputs.a >>\", namespace: x}, spec: {\"<< inputs.a >>\": 1}}]}"},
	{"more", "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: set, namespace: x}\nspec: {inputs: [{a: \"${S}\"}], resourcesTemplate: \"<< inputs.b${S} >>\"}"},
	{"more", "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux, namespace: flux-system}\nspec: {distribution: {version: \"${S}\"}, kustomize: {patches: [{patch: \"${S}\"}]}}"},
	{"more", "apiVersion: notification.toolkit.fluxcd.io/v1beta3\nkind: Alert\nmetadata: {name: \"${S}\", namespace: x}\nspec: {providerRef: {name: \"${S}\"}, eventSources: [{kind: HelmRelease, name: \"${S}\"}], exclusionList: [\"${S}\"]}"},
	{"more", "apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata: {name: \"${S}\", namespace: x}\nspec: {groups: [{name: \"${S}\", rules: [{alert: \"${S}\", expr: 'gotk_resource_info{x=\"${S}\"'}]}]}"},
}

// copiedTo are what kustomize may copy a Secret into, without variables.
var copiedTo = []string{
	"{kind: HelmRelease}, fieldPaths: [spec.upgrade.strategy.name], options: {create: true}", "{kind: HelmRelease}, fieldPaths: [metadata.name]",
	"{kind: HelmRelease}, fieldPaths: [metadata.namespace]", "{kind: HelmRelease}, fieldPaths: [spec.interval]", "{kind: HelmRelease}, fieldPaths: [kind]",
	"{kind: HelmRelease}, fieldPaths: [spec.dependsOn.0.name]", "{kind: HelmRelease}, fieldPaths: [spec.none.x]", "{kind: HelmRelease}, fieldPaths: [spec.chartRef]",
	"{kind: HelmRelease}, fieldPaths: [spec.values.x], options: {create: true}", "{kind: HelmRelease}, fieldPaths: [spec.chartRef.name], options: {delimiter: '-', index: 1}",
	"{kind: ConfigMap}, fieldPaths: [data.INNER]", "{kind: ConfigMap}, fieldPaths: [metadata.name]", "{kind: ConfigMap}, fieldPaths: [data]",
	"{kind: Kustomization}, fieldPaths: [spec.path]", "{kind: Kustomization}, fieldPaths: [spec.postBuild.substitute.INNER], options: {create: true}",
	"{kind: Kustomization}, fieldPaths: [metadata.name]", "{kind: Kustomization}, fieldPaths: [spec.sourceRef.name]", "{kind: Kustomization}, fieldPaths: [spec]",
}

// copiedTree adds a build to a tree in which kustomize copies what a Secret holds.
func copiedTree(files map[string]string, rng *rand.Rand, value string) {
	built := "./copied"
	from := []string{"stringData.S", "data.D", "stringData.S, options: {delimiter: '-', index: 1}"}[rng.IntN(3)]
	list := "- source: {kind: Secret, fieldPath: " + from + "}\n  targets:\n"
	for _, n := range rng.Perm(len(copiedTo))[:1+rng.IntN(3)] {
		list += "  - {select: " + copiedTo[n] + "}\n"
	}
	more, file := "replacements:\n"+list, "copies.yaml"
	switch rng.IntN(4) {
	case 1:
		more = "replacements: [{path: copies.yaml}]\n"
	case 2:
		more, list = "transformers: [copies.yaml]\n", "apiVersion: builtin\nkind: ReplacementTransformer\nmetadata: {name: x}\nreplacements:\n"+list
	case 3:
		more, file = "configurations: [names.yaml]\nvars: [{name: V, objref: {apiVersion: v1, kind: Secret, name: s}, fieldref: {fieldpath: stringData.S}}]\n", "names.yaml"
		list = "varReference: [{kind: HelmRelease, path: spec/timeout}, {kind: HelmRelease, path: metadata/name}, {kind: ConfigMap, path: data}]\n"
	}
	files["copied/kustomization.yaml"] = "resources: [all.yaml]\n" + more
	files["copied/"+file] = list
	files["copied/all.yaml"] = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\nstringData: {S: \"" + value + "\"}\ndata: {D: Q0FOQVJZLWRhdGE=}\n" +
		"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: copied, namespace: flux-system}\ndata: {INNER: $(V)}\n" +
		"---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: copied, namespace: shop}\nspec: {interval: 1h, timeout: $(V), chartRef: {kind: OCIRepository, name: a-b}, dependsOn: [{name: x}]}\n" +
		"---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: inner, namespace: flux-system}\n" +
		"spec: {interval: 1h, prune: true, path: ./inner, sourceRef: {kind: GitRepository, name: flux-system}, postBuild: {substituteFrom: [{kind: ConfigMap, name: copied}]}}\n"
	switch rng.IntN(4) { // the Secret is not in what is built
	case 1:
		files["copied/all.yaml"] = strings.Replace(files["copied/all.yaml"], "name: s,", "name: s, annotations: {config.kubernetes.io/local-config: \"true\"},", 1)
	case 2:
		files["copied/over/kustomization.yaml"] = "resources: [../.]\npatches: [{patch: \"{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop}, $patch: delete}\"}]\n"
		built = "./copied/over"
	case 3:
		files["copied/over/kustomization.yaml"] = "resources: [../.]\npatches: [{patch: \"{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop}, stringData: {S: x}, data: {D: eA==}}\"}]\n"
		built = "./copied/over"
	}
	files["inner/release.yaml"] = strings.Replace(files["child/release.yaml"], "name: inner", "name: copy, labels: {a: x${INNER}}", 1)
	files["clusters/prod/copied.yaml"] = strings.Replace(strings.Split(files["clusters/prod/apps.yaml"], "  postBuild")[0], "./apps", built, 1)
	files["clusters/prod/copied.yaml"] = strings.Replace(files["clusters/prod/copied.yaml"], "name: apps", "name: copied", 1)
}

// besideTree adds a release that no Secret supplies anything to, and what depends on it in the names that one does.
func besideTree(files map[string]string, rng *rand.Rand) {
	one := func(name, build, more string) string {
		return "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: \"" + name + "\", namespace: flux-system}\nspec: {interval: 10m, prune: true, wait: true, path: ./" +
			build + ", sourceRef: {kind: GitRepository, name: flux-system}" + more + "}\n"
	}
	files["clusters/prod/calm.yaml"] = one("calm", "calm", ", timeout: 2m")
	files["calm/release.yaml"] = strings.Replace(strings.Split(files["child/release.yaml"], "values:")[0], "name: inner", "name: calm", 1) + "upgrade: {remediation: {retries: 2}}}\n"
	files["apps/beside.yaml"] = one("next-${S}", "next", ", dependsOn: [{name: calm}, {name: \"gone-${S}\"}]") + one("still-${S}", "still", ", suspend: true") +
		one("after-${S}", "after", ", dependsOn: [{name: \"still-${S}\"}"+[]string{"", ", {name: \"next-${S}\"}"}[rng.IntN(2)]+"]") +
		"---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: \"on-${S}\", namespace: shop}\nspec: {interval: 1h, dependsOn: [{name: calm}], chartRef: {kind: OCIRepository, name: x}}\n"
	for _, name := range []string{"next", "still", "after"} {
		files[name+"/release.yaml"] = strings.Replace(files["calm/release.yaml"], "name: calm", "name: "+name, 1)
	}
}

// secretTree returns a random tree whose Secrets hold canaries, by path.
func secretTree(seed uint64) map[string]string {
	rng := rand.New(rand.NewPCG(seed, 29)) //nolint:gosec // a test
	parts := map[string][]string{}
	for i, n := range rng.Perm(len(secretPlaces)) {
		place := secretPlaces[n]
		single := !slices.Contains([]string{"more"}, place.in)
		if i < 24 && (!single || len(parts[place.in]) < 3) {
			parts[place.in] = append(parts[place.in], place.text)
		}
	}
	one := func(in, otherwise string) string {
		if all := parts[in]; len(all) > 0 {
			return all[0]
		}
		return otherwise
	}
	fields := func(in string, base map[string]string) string {
		keys := map[string]bool{}
		var out []string
		for _, text := range parts[in] {
			if key, _, _ := strings.Cut(strings.TrimSpace(text), ":"); !keys[key] {
				keys[key] = true
				out = append(out, text)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(base)) {
			if !keys[key] {
				out = append(out, "  "+key+": "+base[key])
			}
		}
		return strings.Join(out, "\n") + "\n"
	}
	value := secretForms[rng.IntN(len(secretForms))]
	if value == "canary" {
		value = "canary-plain"
	}
	release := "apiVersion: " + one("apiVersion", "helm.toolkit.fluxcd.io/v2") + "\nkind: " + one("kind", "HelmRelease") + "\nmetadata:\n  name: " + one("name", "shop") +
		"\n  namespace: " + one("namespace", "shop") + "\n  " + one("metadata", "labels: {a: b}") + "\nspec:\n" + fields("release", map[string]string{"interval": "1h"})
	child := "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: " + one("childname", "child") + ", namespace: flux-system}\nspec:\n" +
		fields("child", map[string]string{"interval": "10m", "path": "./child", "prune": "true", "sourceRef": "{kind: GitRepository, name: flux-system}"})
	files := map[string]string{
		"clusters/prod/flux-system/gotk-sync.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: flux-system, namespace: flux-system}\nspec:\n  interval: 10m\n  prune: true\n  path: ./clusters/prod\n  sourceRef: {kind: GitRepository, name: flux-system}\n",
		"clusters/prod/apps.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec:\n  interval: 10m\n  prune: true\n  path: ./apps\n  sourceRef: {kind: GitRepository, name: flux-system}\n" +
			"  postBuild: {substituteFrom: [{kind: Secret, name: vars}]}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: vars, namespace: flux-system}\nstringData: {S: \"" + value + "\"}\n",
		"apps/release.yaml":  release,
		"apps/plain.yaml":    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: plain, namespace: shop}\nspec:\n  interval: 1h\n" + one("release", "  timeout: 5m") + "\n",
		"apps/child.yaml":    child,
		"apps/more.yaml":     strings.Join(parts["more"], "\n---\n") + "\n",
		"child/release.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: inner, namespace: shop}\nspec: {interval: 1h, values: {\"${INNER}\": \"${INNER}\"}, \"${INNER}\": 1}\n",
	}
	copiedTree(files, rng, value)
	besideTree(files, rng)
	return files
}

// TestSecretLaw runs commands and formats on random trees whose Secrets hold canaries, with
// variables in every kind of place, and copied by kustomize: none comes out.
func TestSecretLaw(t *testing.T) {
	commands := slices.Concat(slices.Collect(maps.Values(allCommands()))...)
	slices.SortFunc(commands, func(a, b []string) int { return strings.Compare(strings.Join(a, " "), strings.Join(b, " ")) })
	commands = append(commands, []string{"render", "--explain", "."}, []string{"lint", "--strict", "--unapplied", "."})
	for seed := range uint64(secretTrees) {
		dir := t.TempDir()
		for name, text := range secretTree(seed) {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, file, text)
		}
		gitCommit(t, dir)
		write(t, filepath.Join(dir, "apps/plain.yaml"), strings.ReplaceAll(secretTree(seed + 1000)["apps/plain.yaml"], "1h", "2h"))
		t.Chdir(dir)
		for i, args := range commands {
			if i%8 == int(seed%8) || seed < 1 { // each tree takes some, and the first one all
				checkCanary(t, fmt.Sprintf("seed %d %q", seed, args), args)
			}
		}
	}
}

// aCanary matches what Secrets of random trees hold, in parts and in other forms.
var aCanary = regexp.MustCompile(`(?i)canary|Y2FuYXJ5|Q0FOQVJZ|\b8642`)

func checkCanary(t *testing.T, what string, args []string) {
	t.Helper()
	var out, errs bytes.Buffer
	run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &errs})
	for line := range strings.Lines(out.String() + errs.String()) {
		if at := aCanary.FindStringIndex(line); at != nil {
			t.Errorf("%s writes %s", what, line[max(0, at[0]-120):min(len(line), at[1]+60)])
			return
		}
	}
}
