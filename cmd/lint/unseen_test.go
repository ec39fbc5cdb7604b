package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// partKustomization returns a Flux Kustomization of the folder part without an interval and prune, with more of its spec.
func partKustomization(spec string) string {
	return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: part, namespace: flux-system}\n" +
		"spec:\n  path: ./old/part\n  sourceRef: {kind: GitRepository, name: flux-system}\n" + spec
}

// listedFolder returns a kustomization.yaml that lists a file.
func listedFolder(file string) string { return "resources: [" + file + "]\n" }

var (
	oldRelease = strings.ReplaceAll(helmRelease("", pair), "shop", "old")
	oldPart    = contents{"old/part/release.yaml": oldRelease}
	oldFolder  = contents{"old/kustomization.yaml": "resources: [release.yaml, more.yaml]\n", "old/release.yaml": oldRelease}
)

// unseenAppliers are objects beside a cluster that nothing in the tree applies, and what is said of them. What applies
// them may add fields and substitute variables, but makes no wrong value right.
var unseenAppliers = map[string]struct {
	files   contents
	refused string
}{
	"no interval":               {oldPart.with(contents{"old/ks.yaml": partKustomization("  prune: true\n")}), ""},
	"no prune":                  {oldPart.with(contents{"old/ks.yaml": partKustomization("  interval: 1m\n")}), ""},
	"neither, and a substitute": {oldPart.with(contents{"old/ks.yaml": partKustomization("  timeout: ${T:=5m}\n")}), ""},
	"item without a name":       {oldPart.with(contents{"old/ks.yaml": partKustomization("  images: [{newTag: x}]\n")}), ""},
	"kubeConfig without a name": {oldPart.with(contents{"old/ks.yaml": partKustomization("  kubeConfig: {}\n")}), ""},
	"two in a file":             {oldPart.with(contents{"old/ks.yaml": partKustomization("") + "---\n" + strings.ReplaceAll(partKustomization(""), "part", "rest"), "old/rest/a.yaml": ""}), ""},
	"listed by a folder":        {oldPart.with(contents{"old/ks.yaml": partKustomization(""), "old/kustomization.yaml": listedFolder("ks.yaml")}), ""},
	"source without a url":      {oldFolder.with(contents{"old/more.yaml": "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: old, namespace: old}\nspec: {ref: {tag: x}}\n"}), ""},
	"Helm repository":           {oldFolder.with(contents{"old/more.yaml": "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: old, namespace: old}\nspec: {interval: 1h}\n"}), ""},
	"Helm repository, composed": {oldFolder.with(contents{"old/kustomization.yaml": "namespace: old\nresources: [release.yaml, more.yaml]\npatches: [{patch: \"[{op: add, path: /spec/interval, value: 1h}]\", target: {kind: HelmRepository}}]\n", "old/more.yaml": "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: old}\nspec: {type: oci}\n"}), ""},
	"label with a variable":     {oldFolder.with(contents{"old/more.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: old, labels: {inject: \"${INJECT:-enabled}\"}}\n"}), ""},
	"variable in a switch":      {oldFolder.with(contents{"old/more.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: old}\nimmutable: ${SWITCH}\n"}), ""},

	"wrong value":          {oldPart.with(contents{"old/ks.yaml": partKustomization("  force: [x]\n")}), "spec.force is no boolean"},
	"wrong letter case":    {oldPart.with(contents{"old/ks.yaml": partKustomization("  Prune: true\n")}), "the field spec.Prune"},
	"wrong label":          {oldFolder.with(contents{"old/more.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: old, labels: {inject: \"a b\"}}\n"}), "a value that is not valid"},
	"source of wrong type": {oldFolder.with(contents{"old/more.yaml": "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\nmetadata: {name: old, namespace: old}\nspec: {url: 5}\n"}), "spec.url is no text"},
	"applied by one that is unseen": {oldPart.with(contents{
		"old/ks.yaml":     strings.ReplaceAll(partKustomization(""), "part", "mid"),
		"old/mid/ks.yaml": partKustomization(""),
	}), "spec.interval is missing"},
}

func TestUnseenAppliers(t *testing.T) {
	program, err := exec.LookPath("flux-remedy")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range unseenAppliers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive := &txtar.Archive{}
			for name, text := range plainFleet.with(c.files) {
				archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
			}
			cmd := exec.Command(program, "lint", "-o", "json")
			cmd.Dir = attack{archive, strings.NewReplacer()}.unpack(t)
			out, err := cmd.CombinedOutput()
			refused := strings.Contains(string(out), "refused by the API server") || strings.Contains(string(out), "which is misspelt")
			if err != nil || refused != (c.refused != "") || !strings.Contains(string(out), c.refused) || !strings.Contains(string(out), `"release": "old/old"`) {
				t.Errorf("it ends with %v and tells:\n%s", err, out)
			}
		})
	}
}

// What applies itself is refused as it is, and so is what needed nothing before a change.
func TestUnseenChanges(t *testing.T) {
	without := func(field, text string) string { return strings.ReplaceAll(text, field, "") }
	handed := contents{appsPath: plainFleet[appsPath], shopPath: plainFleet[shopPath]}
	folder := handed.with(contents{"clusters/production/kustomization.yaml": listedFolder("apps.yaml")})
	lacking := contents{appsPath: without("  prune: true\n", moved[appsPath]), shopPath: moved[shopPath]}
	runFamilies(t, map[string]family{
		"self-applied": {plainFleet, []change{
			{name: "no prune", files: contents{syncPath: without("  prune: true\n", plainFleet[syncPath])}, code: "4", tells: "spec.prune is missing"},
		}},
		"handed": {handed, []change{
			{name: "control", files: moved, code: "0"},
			{name: "no prune", files: lacking, code: "4", tells: "spec.prune is missing"},
			{name: "none before", base: contents{appsPath: without("  prune: true\n", plainFleet[appsPath])}, files: lacking, code: "0"},
		}},
		"folder": {folder, []change{
			{name: "control", files: moved, code: "0"},
			{name: "no prune", files: lacking, code: "4", tells: "spec.prune is missing"},
			{name: "none before", base: contents{appsPath: without("  prune: true\n", plainFleet[appsPath])}, files: lacking, code: "0"},
		}},
	})
}

// unseenEntries are fields of a Flux Kustomization that an applier beyond the tree would have to add to, and what
// is said of them.
var unseenEntries = map[string]struct{ spec, lacks string }{
	"whole":                       {"", ""},
	"with a kubeConfig":           {"  kubeConfig: {secretRef: {name: x}}\n", ""},
	"kubeConfig without a Secret": {"  kubeConfig: {secretRef: {}}\n", "spec.kubeConfig.secretRef.name is missing"},
	"empty kubeConfig":            {"  kubeConfig: {}\n", "spec.kubeConfig is refused"},
	"health check":                {"  healthChecks: [{kind: Deployment}]\n", "spec.healthChecks[0].name is missing"},
	"image":                       {"  images: [{newTag: x}]\n", "spec.images[0].name is missing"},
	"expression":                  {"  healthCheckExprs: [{kind: A, apiVersion: b/v1}]\n", "spec.healthCheckExprs[0].current is missing"},
	"dependency":                  {"  dependsOn: [{namespace: a}]\n", "spec.dependsOn[0].name is missing"},
	"variables":                   {"  postBuild: {substituteFrom: [{kind: ConfigMap, optional: true}]}\n", "spec.postBuild.substituteFrom[0].name is missing"},
	"decryption":                  {"  decryption: {secretRef: {name: x}}\n", "spec.decryption.provider is missing"},
}

// What an entry lacks nothing in the tree can add, so nobody knows whether its patches are applied.
func TestUnseenEntries(t *testing.T) {
	program, err := exec.LookPath("flux-remedy")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range unseenEntries {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive := &txtar.Archive{Files: []txtar.File{
				{Name: appsPath, Data: []byte(kustomization("apps", "./apps", "", patches+c.spec))}, {Name: shopPath, Data: []byte(moved[shopPath])},
			}}
			cmd := exec.Command(program, "lint", "--strict")
			cmd.Dir = attack{archive, strings.NewReplacer()}.unpack(t)
			out, _ := cmd.CombinedOutput() // what it ends with is looked at
			if code := cmd.ProcessState.ExitCode(); (code == 4) != (c.lacks != "") || !strings.Contains(string(out), c.lacks) {
				t.Errorf("it ends with %d and tells:\n%s", code, out)
			}
		})
	}
}
