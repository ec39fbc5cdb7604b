package audit

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"

	"sigs.k8s.io/yaml"
)

// now is the clock of the tests.
var now = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func engine(t testing.TB) *rules.Engine {
	t.Helper()
	e, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// condition is one of a status, since two hours or, if it names another one, since then.
func condition(kind, status, reason string, since ...string) map[string]any {
	at := append(since, now.Add(-2*time.Hour).Format(time.RFC3339))[0]
	return map[string]any{"type": kind, "status": status, "reason": reason, "message": reason + " it", "lastTransitionTime": at, "observedGeneration": 1}
}

// helmRelease is one on a cluster, which the controller has seen.
func helmRelease(namespace, name string, status map[string]any, conditions ...any) map[string]any {
	full := map[string]any{
		"observedGeneration": 1, "lastAttemptedGeneration": 1, "lastAttemptedRevision": "2.0.0", "lastAttemptedReleaseAction": "upgrade",
		"history":    []any{snapshotOf(3, "failed", "2.0.0"), snapshotOf(1, "deployed", "1.0.0")},
		"conditions": conditions,
	}
	for key, value := range status {
		full[key] = value
	}
	return map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": name, "namespace": namespace, "uid": "uid-" + name, "generation": 1, "finalizers": []any{"finalizers.fluxcd.io"}},
		"spec": map[string]any{
			"interval": "1h", "timeout": "10m", "chartRef": map[string]any{"kind": "OCIRepository", "name": "shop"},
			"install": map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}}, "upgrade": map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}},
			"values": map[string]any{"password": "correct-horse"},
		},
		"status": full,
	}
}

func snapshotOf(version int, status, chart string) map[string]any {
	return map[string]any{"firstDeployed": "2026-01-01T00:00:00Z", "lastDeployed": "2026-01-01T00:00:00Z", "version": version, "status": status, "chartName": "shop", "chartVersion": chart, "configDigest": "", "digest": "", "name": "shop", "namespace": "apps"}
}

func ready(namespace, name string) map[string]any {
	return helmRelease(namespace, name, map[string]any{"history": []any{snapshotOf(1, "deployed", "2.0.0")}},
		condition("Ready", "True", "UpgradeSucceeded"), condition("Released", "True", "UpgradeSucceeded"))
}

func failing(namespace, name string, failures int) map[string]any {
	return helmRelease(namespace, name, map[string]any{"upgradeFailures": failures, "failures": failures},
		condition("Reconciling", "True", "ProgressingWithRetry"), condition("Ready", "False", "UpgradeFailed"), condition("Released", "False", "UpgradeFailed"))
}

func stalled(namespace, name string) map[string]any {
	object := helmRelease(namespace, name, map[string]any{"upgradeFailures": 1, "failures": 1},
		condition("Stalled", "True", "RetriesExceeded"), condition("Ready", "False", "UpgradeFailed"), condition("Released", "False", "UpgradeFailed"))
	spec := object["spec"].(map[string]any)
	delete(spec, "install")
	delete(spec, "upgrade")
	return object
}

// collected judges objects of one cluster.
func collected(t testing.TB, config string, in namespaces, objects ...map[string]any) overview.Report {
	t.Helper()
	parsed := parse(t, config)
	under, err := engine(t).Under(parsed)
	if err != nil {
		t.Fatal(err)
	}
	c := collector{by: incident.Source{Engine: under, Config: parsed, Now: now}, problems: []string{}}
	cluster := c.cluster(t.Context(), place{name: "one", address: incident.Address{Context: "one"}, in: in}, each(objects))
	return overview.Of(c.all, []overview.Cluster{cluster}, c.problems)
}

func parse(t testing.TB, spec string) *rules.Config {
	t.Helper()
	config, err := rules.ParseConfig([]byte("apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec: " + spec + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// Each release is in the phase that its status says.
func TestPhases(t *testing.T) {
	with := func(object map[string]any, change func(meta, spec map[string]any)) map[string]any {
		change(object["metadata"].(map[string]any), object["spec"].(map[string]any))
		return object
	}
	running := condition("Ready", "Unknown", "Progressing", now.Add(-time.Minute).Format(time.RFC3339))
	long := condition("Ready", "Unknown", "Progressing", now.Add(-3*time.Hour).Format(time.RFC3339))
	action := func(c map[string]any) map[string]any {
		c["message"] = "Running 'upgrade' action with timeout of 10m0s"
		return c
	}
	reconciling := func(c map[string]any) map[string]any {
		return map[string]any{"type": "Reconciling", "status": "True", "reason": "Progressing", "message": c["message"], "lastTransitionTime": c["lastTransitionTime"], "observedGeneration": 1}
	}
	for name, c := range map[string]struct {
		object map[string]any
		config string
		want   overview.Phase
	}{
		"ready":           {ready("apps", "a"), "{}", overview.Ready},
		"stalled":         {stalled("apps", "a"), "{}", overview.Stuck},
		"failing":         {failing("apps", "a", 9), "{}", overview.Failing},
		"too often":       {failing("apps", "a", 9), "{audit: {stuck: {production: {failures: 9}}}}", overview.Stuck},
		"not too often":   {failing("apps", "a", 9), "{audit: {stuck: {production: {failures: 10}}}}", overview.Failing},
		"in another tier": {failing("apps", "a", 9), "{defaultTier: staging, audit: {stuck: {production: {failures: 9}}}}", overview.Failing},
		"too long":        {failing("apps", "a", 1), "{audit: {stuck: {production: {for: 2h}}}}", overview.Stuck},
		"not too long":    {failing("apps", "a", 1), "{audit: {stuck: {production: {for: 2h1s}}}}", overview.Failing},
		"ready for ever":  {ready("apps", "a"), "{audit: {stuck: {production: {for: 1s}}}}", overview.Ready},
		"suspended":       {with(failing("apps", "a", 9), func(_, spec map[string]any) { spec["suspend"] = true }), "{}", overview.Suspended},
		"deleting":        {with(ready("apps", "a"), func(meta, _ map[string]any) { meta["deletionTimestamp"] = now.Format(time.RFC3339) }), "{}", overview.Deleting},
		"deleting for ever": {with(ready("apps", "a"), func(meta, _ map[string]any) {
			meta["deletionTimestamp"] = now.Add(-2 * time.Hour).Format(time.RFC3339)
		}), "{}", overview.Interrupted},
		"busy":        {helmRelease("apps", "a", nil, reconciling(action(running)), action(running)), "{}", overview.Busy},
		"interrupted": {helmRelease("apps", "a", nil, reconciling(action(long)), action(long)), "{}", overview.Interrupted},
		"busy again":  {helmRelease("apps", "a", nil, reconciling(action(running)), action(long)), "{}", overview.Busy}, // overview.Ready has not moved since
		"waiting":     {helmRelease("apps", "a", nil, reconciling(running), condition("Ready", "False", "DependencyNotReady")), "{}", overview.Waiting},
		"changed":     {with(ready("apps", "a"), func(meta, _ map[string]any) { meta["generation"] = 2 }), "{}", overview.New},
	} {
		t.Run(name, func(t *testing.T) {
			r := collected(t, c.config, nil, c.object)
			if len(r.Problems) > 0 || len(r.Releases) != 1 || r.Releases[0].Phase != c.want || r.Summary.ByPhase[c.want] != 1 || r.Clusters[0].ByPhase[c.want] != 1 {
				t.Errorf("%v %+v, want %s", r.Problems, r.Releases, c.want)
			}
			if want := c.want == overview.Stuck || c.want == overview.Interrupted; r.Fails(rules.Error) != want || r.Fails(rules.Off) {
				t.Errorf("fails: %t", !want)
			}
		})
	}
}

// Markers of a Namespace make a tier stricter, if the configuration lets them.
func TestMarkers(t *testing.T) {
	in := namespaces{"apps": {"kind": "Namespace", "metadata": map[string]any{"name": "apps", "labels": map[string]any{release.TierKey: "production"}}}}
	for config, want := range map[string]release.Tier{"{defaultTier: staging}": release.Production, "{defaultTier: staging, tierMarkers: forbid}": release.Staging} {
		if got := collected(t, config, in, ready("apps", "a")).Releases[0].Tier; got != want {
			t.Errorf("%s: %s, want %s", config, got, want)
		}
	}
}

// configured returns a configuration with a spec.
func configured(t testing.TB, spec string) judge.Configuration {
	t.Helper()
	return judge.Configuration{Config: parse(t, spec)}
}

// disk reads configurations and files below a folder.
func disk(t testing.TB, stdin io.Reader) load.Snapshot {
	t.Helper()
	return load.OnDisk(stdin, io.Discard)
}

// run looks at a stand-in for a cluster.
func run(t testing.TB, o Options, servers map[string]*livetest.Server) overview.Report {
	t.Helper()
	o.Kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	if err := livetest.Kubeconfig(o.Kubeconfig, "one", servers); err != nil {
		t.Fatal(err)
	}
	o.Host = live.Host{}
	r, err := o.Run(t.Context(), disk(t, nil), configured(t, "{defaultTier: staging}"), engine(t), now)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Without the right to list Namespaces a tier may be another, stricter or milder, and that is said. One
// Namespace that is not there has no markers.
func TestUnreadMarkers(t *testing.T) {
	server := livetest.New(t, ready("apps", "a"), ready("production", "b"))
	server.Before = refuse("/api/v1/namespaces")
	servers := map[string]*livetest.Server{"one": server}
	r := run(t, Options{}, servers)
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0], "a tier may be another") || !r.Clusters[0].Incomplete || len(r.Releases) != 2 {
		t.Errorf("%+v", r)
	}
	if r := run(t, Options{Namespace: "production"}, servers); len(r.Problems) > 0 || len(r.Releases) != 1 {
		t.Errorf("%+v", r)
	}
}

// A large cluster costs a request for each page, one for the Namespaces, one for the
// controller, and one that finds no Kustomizations.
func TestRequests(t *testing.T) {
	var objects []map[string]any
	for i := range 1200 {
		objects = append(objects, ready("apps", fmt.Sprint("a", i)))
	}
	server := livetest.New(t, objects...)
	r := run(t, Options{}, map[string]*livetest.Server{"one": server})
	lists := strings.Count(strings.Join(server.Requests(), "\n"), "/helmreleases")
	if len(r.Releases) != 1200 || lists != 3 || len(server.Requests()) != lists+4 {
		t.Errorf("%d releases, %d lists of %q", len(r.Releases), lists, slices.Compact(server.Requests()))
	}
	var out bytes.Buffer
	if err := overview.Write(&out, "json", r, document.Screen{}, ""); err != nil || strings.Contains(out.String(), "correct-horse") {
		t.Errorf("%v, values are read", err)
	}
}

// refuse answers requests for a path as an API server does without the right.
func refuse(path string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		refused := r.URL.Path == path
		if refused {
			livetest.Refuse(w, http.StatusForbidden, "Forbidden", path+` is forbidden: User "x" cannot list`)
		}
		return refused
	}
}

// A list that kubectl has printed may have any size.
func TestLargeFile(t *testing.T) {
	var list strings.Builder
	list.WriteString("apiVersion: v1\nitems:\n")
	for i := range 1000 {
		object := ready("apps", fmt.Sprint("a", i))
		object["spec"].(map[string]any)["values"] = map[string]any{"text": strings.Repeat("x", 4000)}
		text, err := yaml.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		list.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", "\n  ") + "\n")
	}
	list.WriteString("kind: List\n")
	o := Options{File: "-"}
	r, err := o.Run(t.Context(), disk(t, strings.NewReader(list.String())), configured(t, "{}"), engine(t), now)
	if err != nil || len(r.Problems) > 0 || len(r.Releases) != 1000 || r.Summary.ByPhase[overview.Ready] != 1000 || list.Len() < 4<<20 {
		t.Errorf("%d of %d bytes, %v, %q", len(r.Releases), list.Len(), err, r.Problems)
	}
}
