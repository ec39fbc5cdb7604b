package release

import "testing"

func TestTierOfWords(t *testing.T) {
	const none = Tier("")
	for name, want := range map[string]Tier{
		"prod": Production, "production": Production, "prd": Production, "live": Production,
		"prod2": Production, "shop-production": Production, "prod-eu-west": Production,
		"Production": Production, "eu_prod": Production,
		"nonprod": Staging, "non-prod": Staging, "preprod": Staging, "pre-prod": Staging,
		"pre_production": Staging, "staging": Staging, "stage": Staging, "stg1": Staging,
		"uat": Staging, "qa": Staging, "acc": Staging,
		"dev": Development, "dev3": Development, "sandbox": Development, "sbox": Development,
		"test": Development, "lab": Development, "preview": Development, "local": Development,
		"product": none, "products-api": none, "prodigy": none, "devops": none, "ptl": none, "": none, "local-path": none, "live-tv": none, "home-lab": none, "labels": none,
	} {
		got, ok := tierOfWords(name)
		if got != want || ok != (want != none) {
			t.Errorf("tierOfWords(%q) = %q, %v; want %q", name, got, ok, want)
		}
	}
}

func TestTierOfPath(t *testing.T) {
	const none = Tier("")
	for path, want := range map[string]Tier{
		"clusters/production":            Production,
		"apps/staging":                   Staging,
		"apps/staging/podinfo":           Staging,
		"apps/dev":                       Development,
		"kubernetes/apps/dev/forgejo":    none,
		"kubernetes/apps/test/echo":      none,
		"clusters/prod/apps/dev/forgejo": Production,
		"dev/apps/prod":                  Development,
		".":                              none,
	} {
		if got, _ := tierOfPath(path); got != want {
			t.Errorf("tierOfPath(%q) = %q; want %q", path, got, want)
		}
	}
}

// The first fact that says something decides; each case adds one that is
// stronger than all before it.
func TestTierOf(t *testing.T) {
	mark := func(field, tier string) map[string]any {
		return map[string]any{"metadata": map[string]any{field: map[string]any{TierKey: tier}}}
	}
	e := Evidence{Object: map[string]any{}, Default: Staging}
	check := func(want Tier, from string) {
		t.Helper()
		if tier, got := TierOf(e); tier != want || got != from {
			t.Errorf("tier %q from %q; want %q from %q", tier, got, want, from)
		}
	}
	check(Staging, "default")
	e.Hub.Folder = "clusters/dev"
	check(Development, "cluster folder of the hub clusters/dev")
	e.Object = map[string]any{"metadata": map[string]any{"namespace": "shop-prod"}}
	check(Production, "namespace shop-prod")
	e.Folders = []string{"base", "overlays/dev"}
	check(Development, "folder overlays/dev")
	e.Cluster.Name = "eu-prd"
	check(Production, "cluster name eu-prd")
	e.Cluster.Folder = "clusters/uat"
	check(Staging, "cluster folder clusters/uat")
	e.Variables = map[string]string{"ENVIRONMENT": "dev", "REPLICAS": "prod"}
	check(Development, "variable ENVIRONMENT=dev")
	e.Configured = Production
	check(Production, "configuration")
	e.Namespace = mark("labels", "staging")
	check(Staging, "label flux-remedy.io/tier on its namespace")
	e.Object = mark("labels", "development")
	check(Development, "label flux-remedy.io/tier on the release")
	e.Object = mark("annotations", "production")
	check(Production, "annotation flux-remedy.io/tier on the release")
	e.Object = mark("annotations", "produktion")
	check(Production, `annotation flux-remedy.io/tier on the release, whose "produktion" names no tier: taken for the strictest`)
	e.Object = mark("annotations", "Staging")
	check(Staging, "annotation flux-remedy.io/tier on the release")
}

// Without a fact and a default it is the strictest, and the hub's part of a
// cluster's name says nothing of the cluster.
func TestTierOfLittle(t *testing.T) {
	for _, e := range []Evidence{
		{},
		{Cluster: Cluster{Name: "dev/eu"}, Hub: Cluster{Name: "dev"}},
	} {
		if tier, from := TierOf(e); tier != Production || from != "default" {
			t.Errorf("%+v: tier %q from %q", e, tier, from)
		}
	}
}
