package overview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// unwell returns a failing release of a cluster.
func unwell(cluster, namespace, name, chart, source, after string) Release {
	return Release{
		Subject:   Subject{Name: release.Name{Namespace: namespace, Name: name}, Cluster: cluster},
		Condition: Condition{Phase: Failing, After: after}, Origin: Origin{Chart: chart, Source: source},
	}
}

// The same message without names, the same chart and the same source are one entry.
func TestCauses(t *testing.T) {
	var webhook, render, mixed, source, few []Release
	for i := range 9 {
		cluster, name := fmt.Sprintf("c%d", i/3), fmt.Sprintf("shop-%d", i)
		webhook = append(webhook, unwell(cluster, "apps", name, fmt.Sprintf("chart%d 1.0.0", i), "", fmt.Sprintf(`failed to create %s-web: failed calling webhook "x.y.io": dial tcp 10.0.3.%d:443: connection refused after %ds`, name, i, i)))
		render = append(render, unwell(cluster, "data", name, "redis 18.1.0", "HelmRepository flux-system/bitnami", "redis/templates/a.yaml:"+fmt.Sprint(i)+": "+name+" needs a password"))
		mixed = append(mixed, unwell(cluster, "data", name, "redis 18.1.0", "HelmRepository flux-system/bitnami", fmt.Sprint("message ", strings.Repeat("x", i))))
		source = append(source, unwell(cluster, "data", name, fmt.Sprintf("chart%d 1.0.0", i), "HelmRepository flux-system/bitnami", fmt.Sprint("message ", strings.Repeat("x", i))))
	}
	few = append(few, webhook[:2]...)
	well := unwell("c9", "data", "well", "redis 18.1.0", "HelmRepository flux-system/bitnami", "")
	well.Phase = Ready
	for name, c := range map[string]struct {
		all  []Release
		want []string
	}{
		"message":           {webhook, []string{`9 releases in 3 clusters: failed to create *: failed calling webhook "x.y.io": dial tcp *: connection refused after *`}},
		"chart and message": {append(render, well), []string{`9 of 10 releases of chart redis 18.1.0 in 3 clusters: */templates/a.yaml:*: * needs a password`}},
		"chart alone":       {append(mixed, well), []string{`9 of 10 releases of chart redis 18.1.0 in 3 clusters: their messages differ`}},
		"source alone":      {append(source, well), []string{`9 of 10 releases of HelmRepository flux-system/bitnami in 3 clusters: their messages differ`}},
		"two causes":        {append(append([]Release{}, webhook...), render[:4]...), []string{`9 releases in 3`, `4 of 4 releases of chart redis 18.1.0 in 2 clusters`}},
		"too few":           {few, nil},
		"suspended":         {suspended(webhook), nil},
	} {
		got := causes(c.all)
		if len(got) != len(c.want) {
			t.Errorf("%s: %q", name, got)
			continue
		}
		for i, want := range c.want {
			if !strings.HasPrefix(got[i].String(), want) {
				t.Errorf("%s: %s, want %s", name, got[i], want)
			}
		}
	}
}

func suspended(all []Release) []Release {
	all = append([]Release{}, all...)
	for i := range all {
		all[i].Phase = Suspended
	}
	return all
}

// What differs from release to release is no part of a message, what says the cause is.
func TestPattern(t *testing.T) {
	long := func(name string) string {
		return "Helm upgrade failed for release apps/" + name + " with chart big@1.0.0: " + strings.Repeat("x ", 10) + " ... " + strings.Repeat("y ", 90) + name + " is wrong"
	}
	for _, c := range []struct{ name, after, want string }{
		{"a", "cannot patch \"a\" with kind Service: a value", `cannot patch "*" with kind Service: * value`},
		{"shop", "timeout waiting for: [Deployment/apps/shop-web status: 'InProgress']", "timeout waiting for: [Deployment/* status: 'InProgress']"},
		{"shop", "eshop failed", "eshop failed"},
		{"shop", "chart 18.1.0 of sha256 7d9f8b6c5d at 2026-01-02T03:04:05Z took 5m0s", "chart 18.1.0 of sha256 * at *:*:* took *"},
		{"shop", "", ""},
	} {
		r := unwell("prod", "apps", c.name, "", "", c.after)
		if got := r.pattern(); got != strings.ReplaceAll(c.want, "*:*:*", "*") {
			t.Errorf("%q: %q, want %q", c.after, got, c.want)
		}
	}
	a, b := unwell("prod", "apps", "shop", "", "", long("shop")), unwell("prod", "apps", "a-longer-name", "", "", long("a-longer-name"))
	if a.pattern() != b.pattern() {
		t.Errorf("%q, %q", a.pattern(), b.pattern())
	}
}
