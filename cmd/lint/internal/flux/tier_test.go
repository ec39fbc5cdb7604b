package flux

import (
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func TestTierOfWords(t *testing.T) {
	const none = release.Tier("")
	for name, want := range map[string]release.Tier{
		"prod": release.Production, "production": release.Production, "prd": release.Production, "live": release.Production,
		"prod2": release.Production, "shop-production": release.Production, "prod-eu-west": release.Production,
		"Production": release.Production, "eu_prod": release.Production,
		"nonprod": release.Staging, "non-prod": release.Staging, "preprod": release.Staging, "pre-prod": release.Staging,
		"pre_production": release.Staging, "staging": release.Staging, "stage": release.Staging, "stg1": release.Staging,
		"uat": release.Staging, "qa": release.Staging, "acc": release.Staging,
		"dev": release.Development, "dev3": release.Development, "sandbox": release.Development, "sbox": release.Development,
		"test": release.Development, "lab": release.Development, "preview": release.Development, "local": release.Development,
		"product": none, "products-api": none, "prodigy": none, "devops": none, "ptl": none, "": none, "local-path": none, "live-tv": none, "home-lab": none, "labels": none,
	} {
		got, ok := tierOfWords(name)
		if got != want || ok != (want != none) {
			t.Errorf("tierOfWords(%q) = %q, %v; want %q", name, got, ok, want)
		}
	}
}

func TestTierOfPath(t *testing.T) {
	const none = release.Tier("")
	for path, want := range map[string]release.Tier{
		"clusters/production":            release.Production,
		"apps/staging":                   release.Staging,
		"apps/staging/podinfo":           release.Staging,
		"apps/dev":                       release.Development,
		"kubernetes/apps/dev/forgejo":    none,
		"kubernetes/apps/test/echo":      none,
		"clusters/prod/apps/dev/forgejo": release.Production,
		"dev/apps/prod":                  release.Development,
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
	config.Spec.DefaultTier = release.Staging
	mark := func(field, tier string) map[string]any {
		return map[string]any{"metadata": map[string]any{field: map[string]any{tierKey: tier}}}
	}
	e := evidence{object: map[string]any{}}
	check := func(want release.Tier, from string) {
		t.Helper()
		if tier, got := tierOf(config, e); tier != want || got != from {
			t.Errorf("tier %q from %q; want %q from %q", tier, got, want, from)
		}
	}
	check(release.Staging, "default")
	e.hub = "clusters/dev"
	check(release.Development, "cluster folder of the hub clusters/dev")
	e.place.Namespace = "shop-prod"
	check(release.Production, "namespace shop-prod")
	e.overlays = []string{"base", "overlays/dev"}
	check(release.Development, "folder overlays/dev")
	e.name, e.place.Cluster = "eu-prd", "eu-prd"
	check(release.Production, "cluster name eu-prd")
	e.entry = "clusters/uat"
	check(release.Staging, "cluster folder clusters/uat")
	e.vars = map[string]string{"ENVIRONMENT": "dev", "REPLICAS": "prod"}
	check(release.Development, "variable ENVIRONMENT=dev")
	config.Spec.Tiers = []rules.TierRule{{Tier: release.Production, Match: rules.Match{Namespaces: []string{"shop-*"}}}}
	check(release.Production, "configuration")
	e.namespace = mark("labels", "staging")
	check(release.Staging, "label flux-remedy.io/tier on its namespace")
	e.object = mark("labels", "development")
	check(release.Development, "label flux-remedy.io/tier on the release")
	e.object = mark("annotations", "production")
	check(release.Production, "annotation flux-remedy.io/tier on the release")
	e.object = mark("annotations", "produktion")
	check(release.Production, `annotation flux-remedy.io/tier on the release, whose "produktion" names no tier: taken for the strictest`)
	e.object = mark("annotations", "Staging")
	check(release.Staging, "annotation flux-remedy.io/tier on the release")
}
