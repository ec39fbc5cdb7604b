package main

import (
	"strings"
	"testing"
)

// saved returns the Kustomization apps with the patches that save the release, and what makes the API server
// refuse it: fields of spec, of metadata, or of the object.
func saved(metadata, spec, object string) contents {
	return moved.with(contents{appsPath: kustomization("apps", "./apps", metadata, patches+spec) + object})
}

// refusedKustomizations are refused by the API server, so that Flux goes on with the former one.
var refusedKustomizations = map[string]contents{
	"field in another letter case":         saved("", "  Wait: true\n", ""),
	"patches twice, one in other letters":  saved("", "  Patches: []\n", ""),
	"field that there is not":              saved("", "  waitt: true\n", ""),
	"inner field in another letter case":   saved("", "  postBuild: {Substitute: {}}\n", ""),
	"item with a field in other letters":   saved("", "  images: [{name: x, NewTag: y}]\n", ""),
	"field beside spec":                    saved("", "", "Spec: {}\n"),
	"value that no list has":               saved("", "  deletionPolicy: Foo\n", ""),
	"provider that there is not":           saved("", "  decryption: {provider: foo}\n", ""),
	"kind of variables that there is not":  saved("", "  postBuild: {substituteFrom: [{kind: Foo, name: x}]}\n", ""),
	"empty kubeConfig":                     saved("", "  kubeConfig: {}\n", ""),
	"kubeConfig of two kinds":              saved("", "  kubeConfig: {secretRef: {name: a}, configMapRef: {name: b}}\n", ""),
	"item without what is required":        saved("", "  images: [{newTag: y}]\n", ""),
	"empty name":                           saved("", "  postBuild: {substituteFrom: [{kind: ConfigMap, name: \"\"}]}\n", ""),
	"number for the text of an item":       saved("", "  healthChecks: [{kind: Deployment, name: x, namespace: 5}]\n", ""),
	"text for a switch":                    saved("", "  force: \"true\"\n", ""),
	"number for a text":                    saved("", "  targetNamespace: 5\n", ""),
	"text for a list":                      saved("", "  components: x\n", ""),
	"no duration":                          saved("", "  retryInterval: 1d\n", ""),
	"too long":                             saved("", "  namePrefix: "+strings.Repeat("x", 201)+"\n", ""),
	"label with a value that is not valid": saved(labelled("a: \"b c\""), "", ""),
	"label with a key that is not valid":   saved(labelled("\"a b\": c"), "", ""),
	"annotation with a key that is no key": saved(annotated("\"a b\": c"), "", ""),
	"field of metadata that there is not":  saved("  foo: bar\n", "", ""),
	"finalizers that are no list":          saved("  finalizers: x\n", "", ""),
	"owner without a name":                 saved("  ownerReferences: [{kind: x}]\n", "", ""),
	"without an interval": moved.with(contents{
		appsPath: "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\n" +
			"spec:\n  path: ./apps\n  prune: true\n  sourceRef: {kind: GitRepository, name: flux-system}\n" + patches,
	}),
}

// refusedVariables are ConfigMaps that the API server refuses, so that the default of the variable counts.
var refusedVariables = map[string]string{
	"number beside it":          vars("", "RetryOnFailure, N: 5"),
	"list beside it":            vars("", "RetryOnFailure, N: [x]"),
	"key that is not valid":     vars("", "RetryOnFailure, \"a b\": x"),
	"no base64":                 vars("", "RetryOnFailure") + "binaryData: {X: \"!!\"}\n",
	"key in data and binary":    vars("", "RetryOnFailure") + "binaryData: {S: YQ==}\n",
	"field that there is not":   vars("", "RetryOnFailure") + "foo: x\n",
	"immutable that is a text":  vars("", "RetryOnFailure") + "immutable: \"x\"\n",
	"label that is not valid":   vars(labelled("a: \"b c\""), "RetryOnFailure"),
	"key of a label":            vars(labelled("\"a b\": c"), "RetryOnFailure"),
	"key of an annotation":      vars(annotated("\"a b\": c"), "RetryOnFailure"),
	"field of metadata":         vars("  foo: bar\n", "RetryOnFailure"),
	"owners that are no list":   vars("  ownerReferences: 5\n", "RetryOnFailure"),
	"finalizers that are words": vars("  finalizers: x\n", "RetryOnFailure"),
}

func TestRefusedObjects(t *testing.T) {
	kustomizations := family{base: plainFleet, changes: []change{
		{name: "control", files: moved, code: "0"},
		{name: "all that is taken", files: saved(labelled("a: b-c"), "  wait: true\n  deletionPolicy: Orphan\n  images: [{name: x, newTag: y}]\n", ""), code: "0"},
	}}
	for name, files := range refusedKustomizations {
		kustomizations.changes = append(kustomizations.changes, change{name: name, files: files, code: "4", tells: "Kustomization flux-system/apps "})
	}
	variables := family{base: variableFleet, changes: []change{
		{name: "control", files: used.with(contents{varsPath: vars("", "RetryOnFailure")}), code: "0"},
	}}
	for name, text := range refusedVariables {
		variables.changes = append(variables.changes, change{name: name, files: used.with(contents{varsPath: text}), code: "4", tells: "ConfigMap"})
	}
	immutable := vars("", "RemediateOnFailure") + "immutable: true\n"
	runFamilies(t, map[string]family{
		"refused-kustomization": kustomizations,
		"refused-variables":     variables,
		"immutable-variables": {variableFleet.with(contents{varsPath: immutable}), []change{
			{name: "changed", files: used.with(contents{varsPath: vars("", "RetryOnFailure") + "immutable: true\n"}), code: "1"},
			{name: "no longer immutable", files: used.with(contents{varsPath: vars("", "RetryOnFailure")}), code: "1"},
			{name: "made anew", files: used.with(contents{varsPath: vars(annotated("kustomize.toolkit.fluxcd.io/force: enabled"), "RetryOnFailure") + "immutable: true\n"}), code: "0"},
		}},
		"left-in-the-former-cluster": {nestedFleet.with(contents{"clusters/production/other.yaml": strings.ReplaceAll(helmRelease("", pair), ": shop", ": other")}), []change{
			{name: "other cluster", files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  kubeConfig: {secretRef: {name: eu}}\n")}), code: "1"},
			{name: "by a ConfigMap", files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  kubeConfig: {configMapRef: {name: eu}}\n")}), code: "1"},
			{name: "removed, and deletes nothing", base: contents{midPath: kustomization("mid", "./mid", "", "  deletionPolicy: Orphan\n")}, files: contents{midPath: removed, shopPath: helmRelease("", "")}, code: "1"},
			{name: "removed, and does not prune", base: contents{midPath: notPruning(kustomization("mid", "./mid", "", ""))}, files: contents{midPath: removed, shopPath: helmRelease("", "")}, code: "1"},
			{name: "removed, and deletes all", base: contents{midPath: notPruning(kustomization("mid", "./mid", "", "  deletionPolicy: Delete\n"))}, files: contents{midPath: removed, shopPath: helmRelease("", "")}, code: "0"},
			{name: "removed", files: contents{midPath: removed, shopPath: helmRelease("", "")}, code: "0"},
		}},
		"variables-with-an-address": {variableFleet, []change{
			{name: "merged", files: used.with(generatedVars("merge", "envs: [\"https://example.com/x\"]")), code: "4"},
			{name: "created", files: used.with(generatedVars("create", "literals: [S=RetryOnFailure], envs: [\"https://example.com/x\"]")), code: "4"},
			{name: "replaced", files: used.with(generatedVars("replace", "literals: [S=RetryOnFailure], envs: [\"https://example.com/x\"]")), code: "4"},
			{name: "without one", files: used.with(generatedVars("merge", "literals: [T=x]")), code: "0"},
		}},
	})
}

func notPruning(kustomization string) string {
	return strings.Replace(kustomization, "prune: true", "prune: false", 1)
}

// generatedVars returns what makes the ConfigMap of the variable by a generator.
func generatedVars(behavior, from string) contents {
	out := contents{"settings/kustomization.yaml": "configMapGenerator: [{name: vars, namespace: flux-system, behavior: " + behavior + ", " + from + ", options: {disableNameSuffixHash: true}}]\n"}
	if behavior != "create" {
		out["settings/kustomization.yaml"] += "resources: [vars.yaml]\n"
		out["settings/vars.yaml"] = vars("", "RetryOnFailure")
	}
	out["clusters/production/settings.yaml"] = kustomization("settings", "./settings", "", "")
	return out
}
