package effective

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// The other fields of a ResourceSet decide what its templates render.
func TestResourceSetFields(t *testing.T) {
	const release = "{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: %s, namespace: apps}, " +
		"spec: {interval: %s, chartRef: {kind: OCIRepository, name: app}}}"
	app := fmt.Sprintf(release, "app", "1h")
	named := fmt.Sprintf(release, "<< inputs.name >>", "1h")
	for spec, want := range map[string]string{
		"{resources: [" + app + "]}":                                                                                  "app=production",
		"{steps: [{name: one, resources: [" + app + "]}]}":                                                            "app=production",
		"{steps: [{name: one, resourcesTemplate: '" + app + "'}]}":                                                    "app=production",
		"{inputs: [{name: a}, {name: b}], resources: [" + named + "]}":                                                "a=production b=production",
		"{resources: [" + fmt.Sprintf(release, "<< inputs.provider.name >>", "1h") + "], inputs: [{}]}":               "set=production",
		"{resources: [" + fmt.Sprintf(release, "<< inputs.provider.name >>", "1h") + "]}":                             "its template cannot be rendered: template: resources:10:11: executing \"resources\" at <inputs>: map has no entry for key \"provider\"",
		"{inputStrategy: {name: Flatten}, resources: [" + app + "]}":                                                  "app=production",
		"{inputStrategy: {name: Permute}, resources: [" + app + "]}":                                                  "its inputs are combined by Permute, which is not followed",
		"{inputz: [{name: a}], resources: [" + app + "]}":                                                             "has the field spec.inputz, which is misspelt, or newer than this program",
		"{inputsFrom: [{kind: ResourceSetInputProvider, selector: {matchLabels: {a: b}}}], resources: [" + app + "]}": "its inputs come from the cluster",
		"{resources: [" + app + ", " + app + "]}":                                                                     "app=production",
		"{resources: [" + app + ", " + fmt.Sprintf(release, "app", "2h") + "]}":                                       "app=production it renders HelmRelease/apps/app twice, with different settings",
		"{resources: [" + strings.Replace(app, "namespace: apps", "namespace: apps, annotations: {fluxcd.controlplane.io/reconcile: disabled}", 1) + "], inputs: [{}]}":           "",
		"{inputsFrom: [], dependsOn: [{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, name: x}], resources: [{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}]}": "",
		"{inputz: [], resources: [{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}]}":                                                                                       "has the field spec.inputz, which is misspelt, or newer than this program",
		"{resources: [{apiVersion: v1, kind: Namespace, metadata: {name: apps, labels: {flux-remedy.io/tier: staging}}}, " + app + "]}":                                           "app=staging",
	} {
		dir := write(t, "-- kustomization.yaml --\nresources: [set.yaml]\n-- set.yaml --\napiVersion: fluxcd.controlplane.io/v1\n"+
			"kind: ResourceSet\nmetadata: {name: set, namespace: apps}\nspec: "+spec+"\n")
		tree := load(t, dir, Options{Config: &rules.Config{Spec: rules.ConfigSpec{TierMarkers: "allow"}}})
		var got []string
		for _, r := range tree.Releases {
			got = append(got, r.Name+"="+string(r.Tier))
		}
		for _, u := range tree.Undetermined {
			got = append(got, strings.TrimPrefix(u.Reason, "ResourceSet apps/set: "))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s\nrenders %q, want %q", spec, got, want)
		}
	}
}

// A ResourceSet that no build reaches is undetermined also if it renders only
// Kustomizations.
func TestUnreachedResourceSetOfKustomizations(t *testing.T) {
	set := "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: set, namespace: apps}\n" +
		"spec:\n  resources:\n    - {apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: x}}\n"
	dir := write(t, clusterOf("prod")+applying("clusters/prod/apps.yaml", "apps", "apps")+"-- apps/app.yaml --\n@app\n"+
		"-- elsewhere/set.yaml --\n"+set)
	tree := load(t, dir, Options{Unapplied: true})
	want := ": ResourceSet apps/set: nothing in the tree applies it, so what it renders is not known"
	if got := undetermined(tree); got != want || names(tree) != "app:1" {
		t.Errorf("undetermined %q, want %q; releases %q", got, want, names(tree))
	}
}
