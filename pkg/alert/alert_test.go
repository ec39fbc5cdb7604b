package alert_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/alert"
)

func cluster(t *testing.T, text string, sameNamespace bool) *alert.Cluster {
	t.Helper()
	var all []map[string]any
	for _, document := range strings.Split(text, "---\n") {
		object := map[string]any{}
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatal(err)
		}
		all = append(all, object)
	}
	return alert.Read(all, sameNamespace)
}

// anAlert is an Alert of flux-system with a spec, and its Provider.
func anAlert(spec, provider string) string {
	return "apiVersion: " + alert.Group + "/v1beta3\nkind: Alert\nmetadata: {name: a, namespace: flux-system}\nspec: {providerRef: {name: p}, " + spec + "}\n" +
		"---\napiVersion: " + alert.Group + "/v1beta3\nkind: Provider\nmetadata: {name: p, namespace: flux-system}\nspec: {" + provider + "}\n"
}

const (
	all   = "eventSources: [{kind: HelmRelease, namespace: apps, name: '*'}]"
	slack = "type: slack, address: 'https://slack.com/api', channel: c"
)

func TestTold(t *testing.T) {
	shop := alert.Subject{
		Kind: "HelmRelease", Namespace: "apps", Name: "shop", Labels: map[string]string{"team": "a"},
		Message: "Helm upgrade failed for release apps/shop with chart ",
	}
	for text, want := range map[string]string{
		anAlert(all, slack):                                                                                           "told",
		anAlert(all+", eventSeverity: error", slack):                                                                  "told",
		anAlert("eventSources: [{kind: HelmRelease, name: '*'}]", slack):                                              "namespace",
		anAlert("eventSources: [{kind: HelmRelease, namespace: '*', name: '*'}]", slack):                              "namespace",
		anAlert("eventSources: [{kind: HelmRelease, namespace: apps, name: shop}]", slack):                            "told",
		anAlert("eventSources: [{kind: HelmRelease, namespace: apps, name: web}]", slack):                             "name",
		anAlert("eventSources: [{kind: HelmRelease, namespace: apps, name: '*', matchLabels: {team: a}}]", slack):     "told",
		anAlert("eventSources: [{kind: HelmRelease, namespace: apps, name: '*', matchLabels: {team: b}}]", slack):     "labels",
		anAlert("eventSources: [{kind: HelmRelease, name: x}, {kind: HelmRelease, namespace: apps, name: x}]", slack): "name",
		anAlert("eventSources: [{kind: Kustomization, namespace: apps, name: '*'}]", slack):                           "kind",
		anAlert(all+", suspend: true", slack):                                                                         "suspended",
		anAlert(all, slack+", suspend: true"):                                                                         "provider-suspended",
		anAlert(all, "type: github, address: https://github.com"):                                                     "commits-only",
		anAlert(all, "type: githubpullrequestcomment"):                                                                "commits-only",
		anAlert(all+", exclusionList: ['Helm upgrade failed']", slack):                                                "excluded",
		anAlert(all+", exclusionList: ['dial tcp.*timeout', '(']", slack):                                             "told",
		anAlert(all+", inclusionList: ['(', 'upgrade failed']", slack):                                                "told",
		anAlert(all+", inclusionList: ['^Helm.*succeeded']", slack):                                                   "not-included",
		anAlert(all+", inclusionList: ['dial tcp.*timeout']", slack):                                                  "not-included",
		anAlert(all+", inclusionList: ['(']", slack):                                                                  "not-included",
		anAlert(all+", inclusionList: []", slack):                                                                     "told",
		anAlert(all+", inclusionList: [upgrade], exclusionList: [failed]", slack):                                     "excluded",
		strings.ReplaceAll(anAlert(all, slack), "name: p,", "name: other,"):                                           "no-provider",
		strings.ReplaceAll(anAlert(all, slack), alert.Group, "example.com"):                                           "",
		"kind: Alert": "",
	} {
		told, missed := cluster(t, text, false).Told([]alert.Subject{shop})
		got := "told"
		if !told {
			got = ""
		}
		if missed != nil {
			got = missed.Because
		}
		if got != want {
			t.Errorf("%s\nis %q, want %q", text, got, want)
		}
	}
	if told, missed := cluster(t, anAlert(all, slack), true).Told([]alert.Subject{shop}); told || missed.Because != "locked" {
		t.Error("an Alert reaches another namespace although it must not")
	}
}

// TestToldThroughKustomization: one that waits for the release fails with it.
func TestToldThroughKustomization(t *testing.T) {
	subjects := []alert.Subject{{Kind: "HelmRelease", Namespace: "apps", Name: "shop"}, {Kind: "Kustomization", Namespace: "flux-system", Name: "apps"}}
	c := cluster(t, anAlert("eventSources: [{kind: Kustomization, name: '*'}]", "type: github"), false)
	if told, _ := c.Told(subjects); !told {
		t.Error("the commit status of a Kustomization that waits tells nobody")
	}
	if told, _ := c.Told(subjects[:1]); told {
		t.Error("a Kustomization that does not wait tells of the release")
	}
}

func TestUnclear(t *testing.T) {
	for text, want := range map[string]bool{
		anAlert(all, slack): false,
		anAlert("eventSources: [{kind: HelmRelease, namespace: '${NAMESPACE}', name: '*'}]", slack): true,
		anAlert("eventSources: {}", slack): true,
		anAlert(all, "type: [slack]"):      true,
	} {
		if got := len(cluster(t, text, false).Unclear()) > 0; got != want {
			t.Errorf("%s\nis unclear: %v, want %v", text, got, want)
		}
	}
}

func TestNoise(t *testing.T) {
	sandbox := alert.Subject{Kind: "HelmRelease", Namespace: "apps", Name: "sandbox"}
	for provider, want := range map[string]string{
		slack: "prod", "type: slack, address: 'https://slack.com/api', channel: other": "",
		"type: pagerduty": "pages", "type: discord": "", // its address is in a Secret
		"type: alertmanager, address: 'http://alertmanager.monitoring.svc:9093'": "", // each cluster has one
	} {
		var fleet alert.Fleet
		for _, other := range []string{slack, "type: discord", "type: alertmanager, address: 'http://alertmanager.monitoring.svc:9093'"} {
			fleet.Production("prod", cluster(t, anAlert(all, other), false).Channels(sandbox))
		}
		got := ""
		for _, n := range fleet.Noise("dev", cluster(t, anAlert(all, provider), false).Channels(sandbox)) {
			if got += n.Production; n.Pages {
				got += "pages"
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", provider, got, want)
		}
	}
	var fleet alert.Fleet
	channels := cluster(t, anAlert(all, "type: discord"), false).Channels(sandbox)
	fleet.Production("one", channels)
	if noise := fleet.Noise("one", channels); len(noise) != 1 {
		t.Errorf("one Provider of one cluster is noisy %d times, want once", len(noise))
	}
}

func TestShared(t *testing.T) {
	const watch = "eventSources: [{kind: Kustomization, namespace: a, name: '*'}, {kind: Kustomization, namespace: b, name: '*'}]"
	github := func(expr string) string {
		return "type: github, address: https://github.com/example/fleet" + strings.ReplaceAll(", commitStatusExpr: EXPR", "EXPR", `"`+expr+`"`)
	}
	for _, c := range []struct{ a, b, want string }{
		// In one cluster, a/apps and b/apps; in the other a/apps.
		{"", "", "Kustomization b/apps"},
		{"event.involvedObject.name", "event.involvedObject.name", "Kustomization b/apps"},
		{"event.involvedObject.namespace", "event.involvedObject.namespace", `Kustomization a/apps of cluster "two"`},
		{"event.involvedObject.namespace", "event.involvedObject.namespace + ''", ""},
		{"event.involvedObject.namespace + provider.metadata.uid", "event.involvedObject.namespace + provider.metadata.uid", ""},
		{"event.involvedObject.namespace + event.metadata.cluster", "event.involvedObject.namespace + event.metadata.cluster", ""},
		{"event.involvedObject.namespace + event.metadata['cluster']", "event.involvedObject.namespace + event.metadata['cluster']", ""},
		{"event.involvedObject.namespace + alert.metadata.name.split('-')[0]", "event.involvedObject.namespace + alert.metadata.name.split('-')[0]", `Kustomization a/apps of cluster "two"`},
		{"event.involvedObject.namespace + event.message", "event.involvedObject.namespace + event.message", ""},
		{"string(event)", "string(event)", ""},
	} {
		var fleet alert.Fleet
		for name, expr := range map[string]string{"one": c.a, "two": c.b} {
			provider := github(expr)
			if expr == "" {
				provider = "type: github, address: https://github.com/example/fleet"
			}
			watched := cluster(t, anAlert(watch+", eventMetadata: {cluster: "+name+"}", provider), false)
			for _, namespace := range []string{"a", "b"} {
				if name == "one" || namespace == "a" {
					k := map[string]any{"metadata": map[string]any{"name": "apps", "namespace": namespace}}
					fleet.Report(name, namespace+"/apps", watched.Statuses(k))
				}
			}
		}
		got := ""
		for _, s := range fleet.Shared("one", "a/apps") {
			got += s.Other
		}
		ambiguous := c.a == "event.involvedObject.name" && got == `Kustomization a/apps of cluster "two"` // either is right
		if got != c.want && !ambiguous {
			t.Errorf("%s and %s: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
