package release

import (
	"path"
	"slices"
	"testing"
)

const none = Tier("")

func TestTierOfWords(t *testing.T) {
	for name, want := range map[string]Tier{
		"prod": Production, "production": Production, "prd": Production, "live": Production,
		"prod2": Production, "shop-production": Production, "prod-eu-west": Production,
		"Production": Production, "eu_prod": Production,
		"nonprod": Staging, "non-prod": Staging, "preprod": Staging, "pre-prod": Staging, "preproduction": Staging,
		"pre_production": Staging, "non-prd-2": Staging, "staging": Staging, "stage": Staging, "stg1": Staging,
		"uat": Staging, "qa": Staging, "acc": Staging, "acceptance": Staging, "int": Staging, "int-1": Staging,
		"integration": Staging, "sit": Staging, "ithc": Staging, "perf": Staging, "demo": Staging,
		"dev": Development, "dev3": Development, "sandbox": Development, "sbox": Development, "eu-dev-2": Development,
		"kind-cluster": Development, "flux-kind-1": Development, "minikube": Development, "k3d-apps": Development, "kind-prod": Production,
		"test": Development, "tests": Development, "testing": Development, "stable-testing": Development, "tst": Development,
		"e2e": Development, "ci": Development, "playground": Development,
		"lab": Development, "preview": Development, "local": Development,
		// The strictest of several.
		"test-prod": Production, "prod-test": Production, "dev-staging": Staging,
		// A word that means something else here.
		"product": none, "products-api": none, "prodigy": none, "devops": none, "ptl": none, "": none,
		"local-path": none, "live-tv": none, "home-lab": none, "labels": none, "data-integration": none,
		"ci-builds": none, "perf-counters": none, "demo-app": none, "interior": none, "42": none,
		// A tool for an environment.
		"dev-tools": none, "test-results": none, "x-test-harness": none, "ci-runners": none, "prod-tools": Production,
	} {
		got, ok := tierOfWords(name)
		if got != want || ok != (want != none) {
			t.Errorf("tierOfWords(%q) = %q, %v; want %q", name, got, ok, want)
		}
	}
}

func TestTierOfPath(t *testing.T) {
	for path, want := range map[string]Tier{
		"clusters/production": Production,
		"clusters/dev-eu":     Development,
		"dev/eu/uat":          Staging,
		"tests/prod":          Production,
		"apps":                none,
		".":                   none,
	} {
		if got, _ := tierOfPath(path); got != want {
			t.Errorf("tierOfPath(%q) = %q; want %q", path, got, want)
		}
	}
}

// A folder lowers the tier only if its parent or its siblings show that it stands for an
// environment.
func TestTierOfFolder(t *testing.T) {
	for name, c := range map[string]struct {
		path   string
		beside []string
		want   Tier
	}{
		"production, whatever is beside":   {"apps/production", nil, Production},
		"overlays":                         {"overlays/dev", nil, Development},
		"overlays of an app":               {"apps/shop/overlays/staging", nil, Staging},
		"environments, with a region":      {"environments/dev-eu", nil, Development},
		"a cluster":                        {"clusters/test/apps", nil, Development},
		"a tool, even there":               {"clusters/dev-tools", nil, none},
		"with its base":                    {"apps/staging", []string{"apps/base"}, Staging},
		"with another environment":         {"apps/dev", []string{"apps/production"}, Development},
		"with another of the same pattern": {"eu-dev", []string{"eu-prod"}, Development},
		"below an environment":             {"apps/dev/forgejo", []string{"apps/prod"}, Development},
		"the apps of developers":           {"apps/dev/forgejo", []string{"apps/media", "apps/test"}, none},
		"their folder":                     {"apps/dev", []string{"apps/media"}, none},
		"an app":                           {"apps/x-test-harness", []string{"apps/base"}, none},
		"a tool with a base":               {"apps/dev-env", []string{"apps/base"}, none},
		"another pattern":                  {"apps/dev-env", []string{"apps/prod"}, none},
		"the strictest":                    {"overlays/dev/overlays/uat", nil, Staging},
		"at the root":                      {"dev", []string{"prod"}, Development},
		"the root":                         {".", []string{"prod"}, none},
	} {
		t.Run(name, func(t *testing.T) {
			entries := func(dir string) []string {
				return slices.DeleteFunc(append([]string{c.path}, c.beside...), func(p string) bool { return path.Dir(p) != dir })
			}
			if got, ok := (Folder{Path: c.path, Entries: entries}).tier(); got != c.want || ok != (c.want != none) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func mark(field, tier string) map[string]any {
	return map[string]any{"metadata": map[string]any{field: map[string]any{TierKey: tier}}}
}

func in(namespace string) map[string]any {
	return map[string]any{"metadata": map[string]any{"namespace": namespace}}
}

// The first fact that says something decides; each case adds one that is
// stronger than all before it.
func TestTierOf(t *testing.T) {
	e := Evidence{Object: map[string]any{}, Default: Development}
	check := func(want Tier, from string) {
		t.Helper()
		if got := TierOf(e); got != (Classification{Tier: want, From: from}) {
			t.Errorf("%+v; want %q from %q", got, want, from)
		}
	}
	check(Development, "default")
	e.Hub.Folder = "clusters/uat"
	check(Staging, "cluster folder of the hub clusters/uat")
	e.Folders = []Folder{{Path: "base"}, {Path: "overlays/dev"}}
	check(Development, "folder overlays/dev")
	e.Cluster.Name = "eu-uat"
	check(Staging, "cluster name eu-uat")
	e.Cluster.Folder = "clusters/uat"
	check(Staging, "cluster folder clusters/uat")
	e.Variables = map[string]string{"ENVIRONMENT": "dev", "REPLICAS": "prod"}
	check(Staging, "cluster folder clusters/uat")
	e.Variables = map[string]string{"ENVIRONMENT": "prod"}
	check(Production, "variable ENVIRONMENT=prod")
	e.Configured = Development
	check(Development, "configuration")
	e.Object = mark("labels", "staging")
	check(Staging, "label flux-remedy.io/tier on the release")
	e.Object, e.Namespace = nil, mark("annotations", "produktion")
	check(Production, `annotation flux-remedy.io/tier on its namespace, whose "produktion" names no tier: taken for the strictest`)
}

// The name of the namespace raises the tier and never lowers it.
func TestTierOfNamespace(t *testing.T) {
	for namespace, want := range map[string]Classification{
		"dev-tools": {Tier: Staging, From: "cluster folder clusters/uat"},
		"dev":       {Tier: Staging, From: "cluster folder clusters/uat"},
		"shop-prod": {Tier: Production, From: "namespace shop-prod"},
	} {
		if got := TierOf(Evidence{Object: in(namespace), Cluster: Cluster{Folder: "clusters/uat"}}); got != want {
			t.Errorf("%s: %+v, want %+v", namespace, got, want)
		}
	}
	if got := TierOf(Evidence{Object: in("test-results")}); got != (Classification{Tier: Production, From: "default"}) {
		t.Errorf("test-results: %+v", got)
	}
}

func TestTierMarkers(t *testing.T) {
	label, namespace := "label flux-remedy.io/tier on the release", "annotation flux-remedy.io/tier on its namespace"
	for name, c := range map[string]struct {
		follow            Markers
		object, namespace string
		want              Classification
	}{
		"raise":               {"", "production", "", Classification{Production, label, ""}},
		"lower":               {RaiseMarkers, "development", "", Classification{Staging, "configuration", label + " asks for development, the tier stays staging: spec.tierMarkers"}},
		"the same":            {RaiseMarkers, "staging", "", Classification{Staging, "configuration", ""}},
		"the stricter raises": {RaiseMarkers, "development", "production", Classification{Production, namespace, label + " asks for development, the tier stays production: spec.tierMarkers"}},
		"another spelling":    {RaiseMarkers, "Production", "", Classification{Production, label, ""}},
		"allowed":             {AllowMarkers, "development", "production", Classification{Development, label, ""}},
		"allowed, namespace":  {AllowMarkers, "", "development", Classification{Development, namespace, ""}},
		"forbidden":           {ForbidMarkers, "production", "", Classification{Staging, "configuration", label + " asks for production, the tier stays staging: spec.tierMarkers"}},
		"none":                {ForbidMarkers, "", "", Classification{Staging, "configuration", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			e := Evidence{Configured: Staging, Markers: c.follow}
			if c.object != "" {
				e.Object = mark("labels", c.object)
			}
			if c.namespace != "" {
				e.Namespace = mark("annotations", c.namespace)
			}
			if got := TierOf(e); got != c.want {
				t.Errorf("%+v\nwant %+v", got, c.want)
			}
		})
	}
}

// Without a fact and a default it is the strictest, and the hub's part of a
// cluster's name says nothing of the cluster.
func TestTierOfLittle(t *testing.T) {
	for _, e := range []Evidence{
		{},
		{Cluster: Cluster{Name: "dev/eu"}, Hub: Cluster{Name: "dev"}},
	} {
		if got := TierOf(e); got != (Classification{Tier: Production, From: "default"}) {
			t.Errorf("%+v: %+v", e, got)
		}
	}
}
