package library

import "fmt"

// patchText is a patch for HelmReleases: a merge or operations.
func (t *tree) patchText(name string) (text string, operations bool) {
	if t.in(3) {
		return pick(t.random,
			"- op: add\n  path: /spec/maxHistory\n  value: 7\n",
			"- op: replace\n  path: /spec/timeout\n  value: 8m\n",
			"- {op: add, path: /metadata/annotations, value: {patched: 'yes'}}\n",
			`[{"op": "add", "path": "/spec/values/added", "value": {"a": [1, "x"]}}]`,
			"- op: remove\n  path: /spec/interval\n",
		), true
	}
	body := pick(t.random,
		"spec: {timeout: 7m}", "spec: {install: null}", "spec:\n  upgrade: {strategy: null, remediation: {retries: 2}}", "spec: {valuesFrom: [{kind: ConfigMap, name: three}]}",
		"spec: {values: {key0: null, extra: {a: 0x10, b: 'yes', c: \"1e3\"}}}", "spec: {values: {$patch: replace, only: 1}}", "spec: {suspend: true}",
		"spec: {chart: {spec: {version: '2'}}}", "spec:\n  values:\n    key1: # a list\n    - x\n    - {y: 017}", "metadata: {annotations: {patched: 'true'}}\nspec: {interval: 2h}",
		"spec:\n  values:\n    image: x:2 # {\"$imagepolicy\": \"flux-system:x\"}",
	)
	if t.in(30) {
		body = "$patch: delete"
	}
	meta := fmt.Sprintf("metadata:\n  name: %s\n", name)
	if name != "_" && !t.in(10) {
		meta += "  namespace: ns0\n"
	}
	if len(body) > 8 && body[:8] == "metadata" {
		body = "spec: {interval: 2h}"
	}
	return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n" + meta + body + "\n", false
}

func (t *tree) target() map[string]any {
	return pick(t.random,
		map[string]any{"kind": "HelmRelease"},
		map[string]any{"group": "helm.toolkit.fluxcd.io", "kind": "HelmRelease"},
		map[string]any{"kind": "HelmRelease", "name": "r.*"},
		map[string]any{"kind": "HelmRelease", "labelSelector": "tier=web"},
		map[string]any{"kind": "HelmRelease", "labelSelector": "tier!=web,team notin (a)"},
		map[string]any{"kind": "HelmRelease", "annotationSelector": "note != x"},
		map[string]any{"kind": "HelmRelease", "namespace": "ns0"},
		map[string]any{"kind": "HelmRelease", "name": "nothing"},
	)
}

// plugin is the configuration of a transformer that kustomize has built in. Files of it are
// relative to the folder that lists it.
func (t *tree) plugin(dir string, remote bool) string {
	n := t.IntN(1000)
	head := func(kind string) string {
		return fmt.Sprintf("apiVersion: builtin\nkind: %s\nmetadata: {name: p%d}\n", kind, n)
	}
	file := fmt.Sprintf("patch%d.yaml", n)
	if remote {
		return head("PatchTransformer") + "path: http://127.0.0.1:9/p.yaml\ntarget: {kind: HelmRelease}\n"
	}
	switch t.IntN(20) {
	case 0, 5, 6:
		t.files[dir+"/"+file], _ = t.patchText("_")
		return head("PatchTransformer") + "path: " + file + "\ntarget: {kind: HelmRelease}\n"
	case 1:
		return head("PatchTransformer") + "patch: '[{\"op\": \"add\", \"path\": \"/spec/releaseName\", \"value\": \"x\"}]'\ntarget: {kind: HelmRelease}\n"
	case 2:
		return head("PrefixSuffixTransformer") + "prefix: px-\nfieldSpecs: [{path: metadata/name, kind: HelmRelease}]\n"
	case 3:
		return head("NamespaceTransformer")[:len(head("NamespaceTransformer"))-1] + "\nnamespace: x\nunsetOnly: true\n"
	case 4:
		return head("LabelTransformer") + "labels: {by: plugin}\nfieldSpecs: [{path: metadata/labels, create: true}]\n"
	case 7:
		t.files[dir+"/"+file] = replacement("spec.timeout", "spec.rollback.timeout")
		return head("ReplacementTransformer") + "replacements:\n- path: " + file + "\n"
	}
	return head("AnnotationsTransformer") + "annotations: {by: plugin}\nfieldSpecs: [{path: metadata/annotations, create: true}]\n"
}

func (t *tree) generator(dir string) string {
	n := t.IntN(1000)
	t.files[fmt.Sprintf("%s/gen%d.txt", dir, n)] = "text\n"
	return fmt.Sprintf("apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: made%d}\nname: made%d\nnamespace: ns0\nfiles: [gen%d.txt, other=gen%d.txt]\n", n, n, n, n)
}

func replacement(from, to string) string {
	return fmt.Sprintf("source: {kind: HelmRelease, fieldPath: %s}\ntargets:\n- select: {kind: HelmRelease}\n  fieldPaths: [%s]\n  options: {create: true}\n", from, to)
}

// valuesFromByName makes valuesFrom a list whose items merge by their names.
const valuesFromByName = `{"definitions":{"io.fluxcd.toolkit.helm.v2.HelmRelease":{"properties":{"spec":{"properties":{"valuesFrom":{"items":{"type":"object"},"type":"array","x-kubernetes-patch-merge-key":"name","x-kubernetes-patch-strategy":"merge"}},"type":"object"}},"type":"object","x-kubernetes-group-version-kind":[{"group":"helm.toolkit.fluxcd.io","kind":"HelmRelease","version":"v2"}]}}}
`
