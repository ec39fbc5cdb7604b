package audit

import (
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
)

// withLabels returns an object with labels.
func withLabels(object map[string]any, labels map[string]any) map[string]any {
	object["metadata"].(map[string]any)["labels"] = labels
	return object
}

func namespaceOf(name string, labels map[string]any) map[string]any {
	return withLabels(map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}, labels)
}

// Releases are chosen by phase, tier and labels, also those of their Namespaces; what is not chosen
// is counted, and a selection that nothing has is no answer.
func TestSelection(t *testing.T) {
	servers := func() map[string]*livetest.Server {
		return map[string]*livetest.Server{
			"one": livetest.New(t, namespaceOf("apps", map[string]any{"team": "shop"}), namespaceOf("data", nil),
				stalled("apps", "a"), ready("apps", "b"), withLabels(ready("apps", "c"), map[string]any{"team": "other"}),
				withLabels(stalled("data", "d"), map[string]any{"team": "shop", "tier": "development"})),
		}
	}
	for name, c := range map[string]struct {
		o             Options
		want, nothing string
		of            int
	}{
		"phase":             {Options{Phases: []string{"stuck"}}, "apps/a data/d", "", 4},
		"phases":            {Options{Phases: []string{"ready", "stuck"}}, "apps/a data/d apps/b apps/c", "", 4},
		"phase that none":   {Options{Phases: []string{"waiting"}}, "", "", 4},
		"labels":            {Options{Selector: "team=shop"}, "apps/a data/d apps/b", "", 0},
		"labels and phase":  {Options{Selector: "team=shop", Phases: []string{"stuck"}}, "apps/a data/d", "", 3},
		"own label first":   {Options{Selector: "team in (other)"}, "apps/c", "", 0},
		"not":               {Options{Selector: "team!=shop"}, "apps/c", "", 0},
		"label that none":   {Options{Selector: "team=shp", Phases: []string{"stuck"}}, "", "no HelmRelease was found in cluster one: only phase stuck, labels team=shp", 0},
		"tier that none":    {Options{Tiers: []string{"production", "development"}}, "", "no HelmRelease was found in cluster one: only tier development or production", 0},
		"tier":              {Options{Tiers: []string{"staging"}}, "apps/a data/d apps/b apps/c", "", 0},
		"namespace, labels": {Options{Namespace: "data", Selector: "team=shop"}, "data/d", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.All = true
			r := run(t, c.o, servers())
			var names []string
			for _, one := range r.Releases {
				names = append(names, one.Name.String())
			}
			if got := strings.Join(names, " "); got != c.want || r.Nothing() != c.nothing || r.Summary.Of != c.of || len(r.Problems) > 0 || r.Clusters[0].Releases != len(names) {
				t.Errorf("%q of %d, %q, %q", got, r.Summary.Of, r.Nothing(), r.Problems)
			}
			if c.o.Phases != nil && !strings.Contains(textOf(t, r, Options{Outputs: []string{"text"}}), "only ") {
				t.Errorf("the text does not say what is chosen: %+v", r.Selection)
			}
		})
	}
}

// Without the labels of Namespaces a selection may miss releases, and says so even if it finds none.
func TestSelectionUnread(t *testing.T) {
	server := livetest.New(t, stalled("apps", "a"))
	server.Before = refuse("/api/v1/namespaces")
	r := run(t, Options{All: true, Selector: "team=shop"}, map[string]*livetest.Server{"one": server})
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0], "releases be missing") || !r.Clusters[0].Incomplete {
		t.Errorf("%q, %+v", r.Problems, r.Clusters)
	}
}

// A rival that is not chosen is named all the same, and Helm releases of other clusters that several
// clusters have.
func TestSelectionFights(t *testing.T) {
	claimed := func(name, remote string) map[string]any {
		object := ready("apps", name)
		spec := object["spec"].(map[string]any)
		spec["releaseName"] = "twin"
		if remote != "" {
			spec["kubeConfig"] = map[string]any{"secretRef": map[string]any{"name": remote}}
		}
		return withLabels(object, map[string]any{"name": name})
	}
	servers := map[string]*livetest.Server{
		"hub-a": livetest.New(t, claimed("a", ""), claimed("b", ""), claimed("far", "prod-eu")),
		"hub-b": livetest.New(t, claimed("far", "prod-eu"), claimed("near", "")),
		"hub-c": livetest.New(t, claimed("far", "prod-us")),
	}
	r := run(t, Options{All: true, Selector: "name in (b,far)"}, servers)
	want := "hub-a: apps/b has the same Helm release as apps/a: each undoes what the others do, until one is left or gets another releaseName\n" +
		"clusters hub-a and hub-b may fight for 1 Helm release: they do if Secret apps/prod-eu of each names the same cluster"
	if got := textOf(t, r, Options{Outputs: []string{"text"}}); !strings.Contains(got, want) {
		t.Error(got)
	}
}
