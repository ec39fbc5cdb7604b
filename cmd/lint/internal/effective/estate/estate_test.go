package estate

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
	"github.com/flux-remedy/remedy/pkg/release"
)

// apps waits for infra, infra for what it applies, and extra for nothing. Releases of apps depend on others, on each
// other, and on what is not there.
const shop = `
-- clusters/prod/flux-system/gotk-sync.yaml --
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: https://example.com/fleet.git}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 10m, prune: true, path: ./clusters/prod, sourceRef: {kind: GitRepository, name: flux-system}}
-- clusters/prod/all.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: infra, namespace: flux-system}
spec: {interval: 1h, retryInterval: 2m, timeout: 1m, wait: true, prune: true, path: ./infra, sourceRef: {kind: GitRepository, name: flux-system}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 1h
  timeout: 1m
  wait: true
  prune: true
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn: [{name: infra}, {name: gone}]
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: extra, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./extra
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn: [{name: apps, readyExpr: "true"}]
  healthChecks: [{apiVersion: apps/v1, kind: Deployment, name: odd, namespace: extra}]
-- infra/below.yaml --
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: below, namespace: flux-system}
spec: {interval: 1h, prune: true, path: ./below, sourceRef: {kind: GitRepository, name: flux-system}}
-- infra/ingress.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: ingress, namespace: infra}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: a}}
-- below/dns.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: dns, namespace: infra}
spec: {interval: 1h, suspend: true, chartRef: {kind: OCIRepository, name: a}}
-- apps/cart.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cart, namespace: apps}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: a}, dependsOn: [{name: shop}]}
-- apps/shop.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: apps}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: a}, dependsOn: [{name: cart}]}
-- extra/odd.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: odd, namespace: extra}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: a}, dependsOn: [{name: ingress, namespace: infra, readyExpr: "true"}]}
`

// load returns the estate of a tree with one cluster, and its releases by namespace/name.
func load(t *testing.T, archive string) (*Estate, map[string]*release.Release) {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = f.Data
	}
	f, err := fleet.Resolve(t.Context(), manifests.NewIndex(tree.Of(nil).With(files), build.NewBuilder()), fleet.Options{})
	if err != nil || len(f.Clusters) != 1 {
		t.Fatal(f, err)
	}
	in := f.Clusters[0]
	var all All
	var e *Estate
	releases := map[string]*release.Release{}
	for _, applied := range in.Releases {
		r, err := release.Decode(applied.Object, release.Controller{})
		if err != nil || r.Settings == nil {
			t.Fatal(r, err)
		}
		r.Cluster = in.Target(applied.By)
		of := all.Of(in, applied.By)
		if releases[object.FullName(applied.Object)] = r; e != nil && e != of {
			t.Fatal("one cluster has two estates")
		}
		e = of
	}
	return e, releases
}

// Something waits for a Kustomization that another depends on, and for all below it.
func TestDepended(t *testing.T) {
	e, _ := load(t, shop)
	for name, want := range map[string]bool{"infra": true, "below": true, "apps": true, "extra": false, "flux-system": false} {
		if got := e.Depended("flux-system/" + name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestNeed(t *testing.T) {
	whole, releases := load(t, shop)
	part, _ := load(t, shop)
	whole.whole, part.whole = true, false
	for name, test := range map[string]struct {
		e    *Estate
		of   string
		on   wave.On
		want release.Unready
		way  string
	}{
		"ready":                {whole, "apps/cart", wave.On{Name: "infra/ingress"}, "", ""},
		"not there":            {whole, "apps/cart", wave.On{Name: "apps/gone"}, release.Missing, ""},
		"not in this tree":     {part, "apps/cart", wave.On{Name: "apps/gone"}, release.Elsewhere, ""},
		"a variable":           {whole, "apps/cart", wave.On{Name: "apps/${NAME}"}, release.Elsewhere, ""},
		"suspended":            {whole, "apps/cart", wave.On{Name: "infra/dns"}, release.Suspended, ""},
		"suspended, expressed": {whole, "apps/cart", wave.On{Name: "infra/dns", Expressed: true}, "", ""},
		"in a circle":          {whole, "apps/cart", wave.On{Name: "apps/shop"}, release.Circular, "HelmRelease apps/cart, HelmRelease apps/shop, HelmRelease apps/cart"},
		"a circle, expressed":  {whole, "apps/cart", wave.On{Name: "apps/shop", Expressed: true}, "", ""},
	} {
		got := test.e.Need(releases[test.of], test.on)
		if way := strings.Join(got.Way, ", "); got.Is != test.want || got.Name != test.on.Name || way != test.way {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestNear(t *testing.T) {
	e, _ := load(t, shop)
	for name, want := range map[string]string{
		"shop/cart":   "the one in namespace apps?",
		"apps/carts":  "cart",
		"apps/infra":  "a Kustomization is named so",
		"apps/zzzzzz": "",
	} {
		if got := e.Near(name, "prod"); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// What a failing release holds up, and what of it the tree does not show.
func TestRadius(t *testing.T) {
	e, releases := load(t, shop)
	fails := scenario(t, "upgrade-fails")
	r := e.Radius(releases["infra/ingress"], fails, forecast.Options{})
	if r == nil || len(r.Lanes) == 0 || r.Lanes[0].Kustomization != "flux-system/infra" || !slices.Contains(r.Releases, "apps/cart") {
		t.Fatalf("%+v", r)
	}
	for _, want := range []string{
		"Kustomization flux-system/apps depends on flux-system/gone, which is not in the tree",
		"HelmRelease extra/odd depends on it by a readyExpr, which is not evaluated",
		"Kustomization flux-system/extra depends on flux-system/apps by a readyExpr, which is not evaluated",
	} {
		if !slices.Contains(r.Unknown, want) {
			t.Errorf("it does not say %q: %q", want, r.Unknown)
		}
	}
	if again := e.Radius(releases["infra/ingress"], fails, forecast.Options{}); again != r {
		t.Error("it is simulated again")
	}
	if other := e.Radius(releases["extra/odd"], fails, forecast.Options{}); other == nil || slices.Contains(other.Releases, "apps/cart") ||
		!slices.Contains(other.Unknown, "Kustomization flux-system/extra checks the health of Deployment extra/odd, which is not followed") {
		t.Errorf("%+v", other)
	}
	stray := *releases["extra/odd"]
	stray.Name = "stray"
	if got := e.Radius(&stray, fails, forecast.Options{}); got != nil {
		t.Errorf("a release that nothing applies holds up %+v", got)
	}
}

// Only a Kustomization of which all is known, and that may be wrong for a release, is above it.
func TestAbove(t *testing.T) {
	for name, test := range map[string]struct {
		of        string
		templated bool
		want      string
	}{
		"waits too short":                 {"infra/ingress", false, "flux-system/infra"},
		"waits too short, but a template": {"infra/ingress", true, ""},
		"depends on what is not known":    {"apps/cart", false, ""},
		"checks what is not followed":     {"extra/odd", false, ""},
		"nothing is wrong":                {"infra/dns", false, ""},
	} {
		e, releases := load(t, shop)
		r, got := releases[test.of], ""
		Above([]Applied{{Release: r, In: e, Templated: test.templated}})
		if r.Above != nil {
			got = r.Above.Kustomization
		}
		if got != test.want {
			t.Errorf("%s: above is %q, want %q", name, got, test.want)
		}
	}
}

func scenario(t *testing.T, name string) forecast.Scenario {
	t.Helper()
	for _, s := range forecast.Scenarios() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no scenario %s", name)
	return forecast.Scenario{}
}
