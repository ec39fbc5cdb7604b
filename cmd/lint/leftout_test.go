package main

import (
	"strings"
	"testing"
)

// A component takes the pair away from every release.
var unpaired = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n- target: {kind: HelmRelease}\n" +
	"  patch: '[{\"op\": \"remove\", \"path\": \"/spec/install\"}, {\"op\": \"remove\", \"path\": \"/spec/upgrade\"}]'\n"

const configPath = ".flux-remedy.yaml"

// configured returns a configuration.
func configured(spec string) contents {
	return contents{configPath: "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec:\n" + spec}
}

// TestLeftOut changes what the configuration leaves out of the tree, and Flux reads all the same.
func TestLeftOut(t *testing.T) {
	const reads = "Flux reads it, and spec.ignore of the configuration leaves it out"
	ignoring := plainFleet.with(configured("  ignore: [\"**/.archive/**\"]\n"))
	artifact := made("", "", pair).with(configured("  ignore: [\"**/.archive/**\"]\n"))
	hidden := "comp/.archive/kustomization.yaml"
	runFamilies(t, map[string]family{
		"left-out": {ignoring, []change{
			{name: "control", files: contents{shopPath: helmRelease("", "")}, code: "1"},
			{name: "Kustomization", files: contents{appsPath: removed, "clusters/production/.archive/apps.yaml": kustomization("apps", "./apps", "", ""), shopPath: helmRelease("", "")}, code: "4", tells: reads},
			{name: "release", files: contents{"apps/.archive/more.yaml": other("", "")}, code: "4", tells: reads},
			{name: "controller", files: contents{"clusters/production/.archive/old.yaml": controller("", "--watch-all-namespaces")}, code: "4", tells: reads},
			{name: "folder of its own", files: contents{"apps/.archive/kustomization.yaml": "resources: [more.yaml]\n", "apps/.archive/more.yaml": other("", "")}, code: "4", tells: reads},
			{name: "component that may be missing", files: contents{hidden: unpaired, appsPath: kustomization("apps", "./apps", "", "  ignoreMissingComponents: true\n  components: [../comp/.archive]\n")}, code: "4", tells: reads},
			{name: "component", files: contents{hidden: unpaired, "apps/kustomization.yaml": "resources: [shop.yaml]\ncomponents: [../comp/.archive]\n"}, code: "4", tells: "cannot be built"},
			{name: "patches", files: contents{"apps/.archive/p.yaml": "- {op: remove, path: /spec/install}\n", "apps/kustomization.yaml": "resources: [shop.yaml]\npatches: [{path: .archive/p.yaml, target: {kind: HelmRelease}}]\n"}, code: "4", tells: "cannot be built"},
			{name: "no manifest", files: contents{"apps/.archive/more.txt": other("", "")}, code: "0"},
			{name: "beside what is applied", files: contents{"docs/.archive/more.yaml": other("", "")}, code: "0"},
			{name: "not listed", base: contents{"apps/kustomization.yaml": "resources: [shop.yaml]\n"}, files: contents{"apps/.archive/more.yaml": other("", "")}, code: "0"},
			{name: "left out by Flux as well", files: contents{"apps/.archive/more.yaml": other("", ""), ".sourceignore": "/apps/.archive/\n"}, code: "0"},
			{name: "as before", base: contents{"apps/.archive/more.yaml": other("", "")}, files: contents{shopPath: helmRelease(labelled("a: b"), pair)}, code: "0"},
			{name: "what leaves out others", base: configured("  ignore: [\"**/.source*\"]\n"), files: contents{
				".sourceignore": "/pair/\n", "pair/kustomization.yaml": sparse("")["pair/kustomization.yaml"], shopPath: helmRelease("", ""),
				appsPath: kustomization("apps", "./apps", "", "  ignoreMissingComponents: true\n  components: [../pair]\n"),
			}, code: "1"},
		}},
		"left-out-of-an-artifact": {artifact, []change{
			{name: "copied", files: contents{"apps/.archive/more.yaml": other("", "")}, code: "4", tells: "it copies apps/.archive/more.yaml, which spec.ignore of the configuration leaves out"},
			{name: "not copied", files: contents{"docs/.archive/more.yaml": other("", "")}, code: "0"},
		}},
	})
}

// TestMapped changes a source that the configuration maps to a folder.
func TestMapped(t *testing.T) {
	const sourcePath, mapped = "clusters/production/source.yaml", "artifacts/apps/shop.yaml"
	source := "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: apps, namespace: flux-system}\nspec:\n  interval: 1m\n  url: oci://example.com/apps\n"
	from := "  sourceRef: {kind: OCIRepository, name: apps}\n"
	base := contents{syncPath: entry("", "", ""), appsPath: kustomization("apps", "./", "", from), sourcePath: source, mapped: helmRelease("", pair), "artifacts/more/note.txt": "x\n"}.
		with(configured("  sources: {OCIRepository/flux-system/apps: artifacts/apps, OCIRepository/flux-system/more: artifacts/more}\n"))
	more := strings.ReplaceAll(source, "name: apps", "name: more")
	runFamilies(t, map[string]family{"mapped": {base, []change{
		{name: "control", files: contents{mapped: helmRelease("", "")}, code: "1"},
		{name: "its pair", files: contents{mapped: helmRelease(labelled("a: b"), pair)}, code: "0"},
		{name: "source removed", files: contents{sourcePath: removed}, code: "4", tells: "nothing in the tree applies its source OCIRepository/flux-system/apps"},
		{name: "source never applied", base: contents{sourcePath: removed}, files: contents{mapped: helmRelease(labelled("a: b"), pair)}, code: "0"},
		{name: "another that nothing applies", base: contents{"artifacts/more/shop.yaml": helmRelease("", pair)}, files: contents{appsPath: kustomization("apps", "./", "", strings.ReplaceAll(from, "apps", "more"))}, code: "4", tells: "OCIRepository/flux-system/more"},
		{name: "another", base: contents{"artifacts/more/shop.yaml": helmRelease("", pair)}, files: contents{sourcePath: more, appsPath: kustomization("apps", "./", "", strings.ReplaceAll(from, "apps", "more"))}, code: "0"},
		{name: "component outside of the folder", files: contents{
			mapped: helmRelease("", ""), "artifacts/pair/kustomization.yaml": sparse("")["pair/kustomization.yaml"],
			appsPath: kustomization("apps", "./", "", "  ignoreMissingComponents: true\n  components: [../pair]\n"+from),
		}, code: "1"},
		{name: "resource outside of the folder", files: contents{"artifacts/apps/kustomization.yaml": "resources: [shop.yaml, ../more]\n", "artifacts/more/more.yaml": other("", pair)}, code: "4", tells: "cannot be built"},
	}}})
}
