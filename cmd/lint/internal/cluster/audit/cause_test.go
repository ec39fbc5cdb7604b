package audit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
	"github.com/flux-remedy/remedy/pkg/release"
)

// unwell returns a failing release of a cluster.
func unwell(cluster, namespace, name, chart, source, after string) Release {
	return Release{Name: release.Name{Namespace: namespace, Name: name}, Cluster: cluster, Phase: Failing, Chart: chart, Source: source, After: after}
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

// Two HelmReleases with one Helm release fight, though both are Ready; one that is suspended
// does not, and one of another namespace has another.
func TestFights(t *testing.T) {
	named := func(namespace, name string, suspend bool) map[string]any {
		object := ready(namespace, name)
		spec := object["spec"].(map[string]any)
		spec["releaseName"], spec["suspend"] = "twin", suspend
		return object
	}
	r := collected(t, "{}", nil, named("apps", "a", false), named("apps", "b", false), named("apps", "c", true), named("data", "d", false))
	if got := strings.Join(r.fights(), "\n"); !strings.HasPrefix(got, "one: apps/a has the same Helm release as apps/b: ") || strings.Count(got, "\n") > 0 || !r.Fails("error") {
		t.Errorf("%q, fails: %t", got, r.Fails("error"))
	}
}

// An earlier report says what is new, gone and longer stuck, and what cannot be compared.
func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "before.json")
	before := func(objects ...map[string]any) map[string]*livetest.Server {
		return map[string]*livetest.Server{"one": livetest.New(t, objects...), "two": livetest.New(t, stalled("apps", "x"))}
	}
	save := func(r Report) {
		data, err := json.Marshal(r)
		if err == nil {
			err = os.WriteFile(file, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	first := run(t, Options{All: true}, before(stalled("apps", "a"), stalled("apps", "b"), stalled("apps", "c"), ready("apps", "d")))
	save(first)
	again, err := readReport(file)
	if err != nil || len(again.Releases) != len(first.Releases) || !reflect.DeepEqual(again.Summary, first.Summary) {
		t.Errorf("%v: a report is read as another one: %+v", err, again)
	}
	servers := before(stalled("apps", "a"), ready("apps", "b"), stalled("apps", "d"))
	servers["two"].Before = refuse("/apis/helm.toolkit.fluxcd.io")
	r := run(t, Options{All: true}, servers)
	if err := r.Compare(file); err != nil {
		t.Fatal(err)
	}
	want := &Changes{New: []string{"one: apps/d"}, Gone: []string{"one: apps/b", "one: apps/c"}, Longer: []string{"one: apps/a"}, Again: []string{}, Unknown: []string{"two: apps/x"}}
	if !reflect.DeepEqual(r.Changes, want) {
		t.Errorf("%+v, want %+v", r.Changes, want)
	}
	save(r)
	r = first
	if err := r.Compare(file); err != nil || strings.Join(r.Changes.Unknown, " ") != "two: apps/x" {
		t.Errorf("%v, %+v", err, r.Changes)
	}
	early := first
	early.Time = clock(now.Add(-3 * time.Hour)) // they are stuck since two hours
	save(early)
	if err := r.Compare(file); err != nil || len(r.Changes.Again) != 4 || len(r.Changes.Longer)+len(r.Changes.New)+len(r.Changes.Gone) > 0 {
		t.Errorf("%v, %+v", err, r.Changes)
	}
	for _, text := range []string{"", "{}", "[]", `{"kind": "AuditReport"}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := r.Compare(file); err == nil || !strings.HasPrefix(err.Error(), "--since: read ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
