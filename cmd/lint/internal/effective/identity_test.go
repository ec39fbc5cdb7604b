package effective

import (
	"strings"
	"testing"
)

// Kinds, names and API versions are read as Flux reads them. What makes Flux fail is undetermined:
// nothing of it is hidden, and nothing passes.
func TestIdentities(t *testing.T) {
	apart := func(old, new string) string { return strings.Replace(releaseOf("app"), old, new, 1) }
	const kind = "kind: HelmRelease"
	indented := "- " + strings.ReplaceAll(strings.TrimSuffix(releaseOf("app"), "\n"), "\n", "\n  ") + "\n"
	for name, c := range map[string]struct{ app, want string }{
		"plain":             {releaseOf("app"), ""},
		"binary":            {apart(kind, "kind: !!binary SGVsbVJlbGVhc2U="), ""},
		"binary by URI":     {apart(kind, "kind: !<tag:yaml.org,2002:binary> SGVsbVJlbGVhc2U="), ""},
		"binary by a tag":   {"%TAG !b! tag:yaml.org,2002:\n---\n" + apart(kind, "kind: !b!binary SGVsbVJlbGVhc2U="), "cannot be built: failed to decode"},
		"binary name":       {apart("name: app", "name: !!binary YXBw"), ""},
		"lower case":        {apart(kind, "kind: helmrelease"), `has "helmrelease" app`},
		"plural":            {apart(kind, "kind: HelmReleases"), `has "HelmReleases" app`},
		"misspelt":          {apart(kind, "kind: HelmRelase"), `has "HelmRelase" app`},
		"another script":    {apart(kind, "kind: HеlmRelease"), `has "HеlmRelease" app`},
		"a blank":           {apart(kind, `kind: "HelmRelease "`), `has "HelmRelease " app`},
		"group in capitals": {apart("helm.toolkit", "Helm.Toolkit"), `has HelmRelease app with the apiVersion "Helm.Toolkit`},
		"no such version":   {apart("fluxcd.io/v2", "fluxcd.io/v2gamma"), `has HelmRelease app with the apiVersion "helm.toolkit.fluxcd.io/v2gamma"`},
		"capital in a name": {apart("name: app", "name: App"), `has HelmRelease "App"`},
		"underscore":        {apart("name: app", "name: my_app"), `has HelmRelease "my_app"`},
		"number":            {apart("name: app", "name: 5"), `has HelmRelease ""`},
		"another's name":    {releaseOf("app") + "---\napiVersion: v1\nkind: Service\nmetadata: {name: In_Valid, namespace: app}\n", `has Service "In_Valid"`},
		"another's kind":    {releaseOf("app") + "---\napiVersion: v1\nkind: configmap\nmetadata: {name: a, namespace: app}\n", `has "configmap" a`},
		"a role's name":     {releaseOf("app") + "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: \"system:App\"}\n", ""},
		"items":             {"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nitems:\n" + indented, "has ConfigMap a with items"},
		"items in binary":   {"apiVersion: v1\nkind: !!binary TGlzdA==\nmetadata: {name: a}\nitems:\n" + indented, "has List a with items"},
		"items' key":        {"apiVersion: v1\nkind: Service\nmetadata: {name: a}\n!!binary aXRlbXM=:\n" + indented, "has Service a with items"},
		"a list":            {"apiVersion: v1\nkind: List\nitems:\n" + indented, ""},
		"substituted":       {apart("name: app", "name: \"${BAD}\""), `has HelmRelease "Not_Good"`},
		"substituted kind":  {apart(kind, "kind: \"${KIND}\""), `has "helmRelease" app`},
		"rendered": {"apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: set, namespace: app}\nspec:\n  resources:\n" +
			strings.Replace("  "+strings.ReplaceAll(indented, "\n", "\n  "), kind, "kind: helmrelease", 1), `it has "helmrelease" app`},
	} {
		files := clusterOf("prod") + applying("clusters/prod/apps.yaml", "apps", "apps", "  postBuild: {substitute: {BAD: Not_Good, KIND: helmRelease}}\n") + "-- apps/app.yaml --\n" + c.app
		tree := load(t, write(t, files), Options{})
		if got := undetermined(tree); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: undetermined %q, want %q", name, got, c.want)
		}
		if judged := len(tree.Releases) == 1 && tree.Releases[0].Name == "app"; judged != (c.want == "" || strings.HasPrefix(name, "another's")) {
			t.Errorf("%s: releases %v", name, inClusters(tree))
		}
		if len(tree.Problems) > 0 {
			t.Errorf("%s: problems %v", name, tree.Problems)
		}
	}
}
