package flux

import (
	"testing"

	"github.com/flux-remedy/remedy/pkg/rules"
)

func TestTierOfWords(t *testing.T) {
	const none = rules.Tier("")
	for name, want := range map[string]rules.Tier{
		"prod": rules.Production, "production": rules.Production, "prd": rules.Production, "live": rules.Production,
		"prod2": rules.Production, "shop-production": rules.Production, "prod-eu-west": rules.Production,
		"Production": rules.Production, "eu_prod": rules.Production,
		"nonprod": rules.Staging, "non-prod": rules.Staging, "preprod": rules.Staging, "pre-prod": rules.Staging,
		"pre_production": rules.Staging, "staging": rules.Staging, "stage": rules.Staging, "stg1": rules.Staging,
		"uat": rules.Staging, "qa": rules.Staging, "acc": rules.Staging,
		"dev": rules.Development, "dev3": rules.Development, "sandbox": rules.Development, "sbox": rules.Development,
		"test": rules.Development, "lab": rules.Development, "preview": rules.Development, "local": rules.Development,
		"product": none, "products-api": none, "prodigy": none, "devops": none, "ptl": none, "": none, "local-path": none, "live-tv": none, "home-lab": none, "labels": none,
	} {
		got, ok := tierOfWords(name)
		if got != want || ok != (want != none) {
			t.Errorf("tierOfWords(%q) = %q, %v; want %q", name, got, ok, want)
		}
	}
}

func TestTierOfPath(t *testing.T) {
	const none = rules.Tier("")
	for path, want := range map[string]rules.Tier{
		"clusters/production":            rules.Production,
		"apps/staging":                   rules.Staging,
		"apps/staging/podinfo":           rules.Staging,
		"apps/dev":                       rules.Development,
		"kubernetes/apps/dev/forgejo":    none,
		"kubernetes/apps/test/echo":      none,
		"clusters/prod/apps/dev/forgejo": rules.Production,
		"dev/apps/prod":                  rules.Development,
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
	config := &rules.Config{}
	config.Spec.DefaultTier = rules.Staging
	mark := func(field, tier string) map[string]any {
		return map[string]any{"metadata": map[string]any{field: map[string]any{tierKey: tier}}}
	}
	e := evidence{object: map[string]any{}}
	check := func(want rules.Tier, from string) {
		t.Helper()
		if tier, got := tierOf(config, e); tier != want || got != from {
			t.Errorf("tier %q from %q; want %q from %q", tier, got, want, from)
		}
	}
	check(rules.Staging, "default")
	e.hub = "clusters/dev"
	check(rules.Development, "cluster folder of the hub clusters/dev")
	e.place.Namespace = "shop-prod"
	check(rules.Production, "namespace shop-prod")
	e.overlays = []string{"base", "overlays/dev"}
	check(rules.Development, "folder overlays/dev")
	e.name, e.place.Cluster = "eu-prd", "eu-prd"
	check(rules.Production, "cluster name eu-prd")
	e.entry = "clusters/uat"
	check(rules.Staging, "cluster folder clusters/uat")
	e.vars = map[string]string{"ENVIRONMENT": "dev", "REPLICAS": "prod"}
	check(rules.Development, "variable ENVIRONMENT=dev")
	config.Spec.Tiers = []rules.TierRule{{Tier: rules.Production, Match: rules.Match{Namespaces: []string{"shop-*"}}}}
	check(rules.Production, "configuration")
	e.namespace = mark("labels", "staging")
	check(rules.Staging, "label flux-remedy.io/tier on its namespace")
	e.object = mark("labels", "development")
	check(rules.Development, "label flux-remedy.io/tier on the release")
	e.object = mark("annotations", "production")
	check(rules.Production, "annotation flux-remedy.io/tier on the release")
	e.object = mark("annotations", "produktion")
	check(rules.Production, `annotation flux-remedy.io/tier on the release, whose "produktion" names no tier: taken for the strictest`)
	e.object = mark("annotations", "Staging")
	check(rules.Staging, "annotation flux-remedy.io/tier on the release")
}
