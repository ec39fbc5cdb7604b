package main

import (
	"strings"
	"testing"
)

// TestArtifacts changes what an ArtifactGenerator makes: what source-watcher refuses is undetermined.
func TestArtifacts(t *testing.T) {
	const generatorPath = "clusters/production/generator.yaml"
	base := made("", "", pair).with(contents{syncPath: entry("", "", "")})
	copying := func(operations, more string) contents {
		text, _, _ := strings.Cut(base[generatorPath], "spec:")
		return contents{generatorPath: text + "spec:\n  sources: [{alias: fleet, kind: GitRepository, name: flux-system}]\n" + more +
			"  artifacts: [{name: apps, copy: [" + operations + "]}]\n"}
	}
	const apps = `{from: "@fleet/apps/**", to: "@artifact/"}`
	worse := contents{"worse/shop.yaml": helmRelease("", "")}
	component := contents{
		shopPath: helmRelease("", ""), "apps/kustomization.yaml": "resources: [shop.yaml]\n", "pair/kustomization.yaml": sparse("")["pair/kustomization.yaml"],
		appsPath: kustomization("apps", "./", "", "  sourceRef: {kind: ExternalArtifact, name: apps}\n  ignoreMissingComponents: true\n  components: [.github]\n"),
	}
	runFamilies(t, map[string]family{"artifact": {base, []change{
		{name: "control", files: contents{shopPath: helmRelease("", "")}, code: "1"},
		{name: "its pair", files: contents{shopPath: helmRelease(labelled("a: b"), pair)}, code: "0"},
		{name: "copied over", files: copying(apps+`, {from: "@fleet/worse/**", to: "@artifact/"}`, "").with(worse), code: "1"},
		{name: "merged", files: copying(apps+`, {from: "@fleet/worse/shop.yaml", to: "@artifact/shop.yaml", strategy: Merge}`, "").with(worse), code: "4", tells: "copy strategy Merge is not followed"},
		{name: "of nothing", files: copying(`{from: "@fleet/none/**", to: "@artifact/"}`, ""), code: "4", tells: "nothing in the repository matches none/**"},
		{name: "of nothing below", files: copying(`{from: "@fleet/*/none/*", to: "@artifact/"}`, ""), code: "4", tells: "matches */none/*"},
		{name: "of nothing but what is excluded", files: copying(`{from: "@fleet/apps/**", to: "@artifact/", exclude: ["**"]}`, ""), code: "4", tells: "or all of it is excluded"},
		{name: "of nothing, which is optional", files: copying(apps+`, {from: "@fleet/none/*", to: "@artifact/", optional: true}, {from: "@fleet/none", to: "@artifact/", optional: true}`, ""), code: "0"},
		{name: "to the outside", files: copying(`{from: "@fleet/apps/**", to: "@artifact/../x"}`, ""), code: "4", tells: "is refused by the API server: spec.artifacts[0].copy[0].to"},
		{name: "to the outside and back", files: copying(`{from: "@fleet/apps/**", to: "@artifact/x/../y"}`, ""), code: "4", tells: "is refused by the API server: spec.artifacts[0].copy[0].to"},
		{name: "to what no artifact has", files: copying(apps+`, {from: "@fleet/pair/**", to: "@artifact/.github/"}`, "").with(component), code: "1"},
		{name: "twice", files: copying(apps+`]}, {name: apps, copy: [{from: "@fleet/worse/**", to: "@artifact/"}`, "").with(worse), code: "4", tells: "two artifacts of the name apps"},
		{name: "by two", files: contents{"clusters/production/more.yaml": strings.Replace(copying(`{from: "@fleet/worse/**", to: "@artifact/"}`, "")[generatorPath], "name: apps\n", "name: more\n", 1)}.with(worse), code: "4", tells: "both make its source"},
		{name: "of two sources of one alias", files: copying(apps, "  sources: [{alias: fleet, kind: GitRepository, name: flux-system}, {alias: fleet, kind: GitRepository, name: flux-system}]\n"), code: "4"},
		{name: "with the revision of no source", files: copying(apps+`], revision: "@none", other: [`, ""), code: "4"},
	}}})
}
