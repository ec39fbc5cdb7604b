package revive

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// stalled is a release as the controller leaves it after four failed upgrades and
// rollbacks, ready the status that it has after a good one.
const (
	stalled = `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: apps, generation: 1, resourceVersion: "1", finalizers: [finalizers.fluxcd.io]}
spec: {interval: 1h, chartRef: {kind: OCIRepository, name: shop}, install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: 3}}}
status:
  observedGeneration: 1
  lastAttemptedGeneration: 1
  lastAttemptedRevision: 2.0.0
  lastAttemptedReleaseAction: upgrade
  upgradeFailures: 4
  failures: 4
  storageNamespace: apps
  conditions:
  - {type: Stalled, status: "True", reason: RetriesExceeded, message: Failed to upgrade, observedGeneration: 1}
  - {type: Ready, status: "False", reason: RollbackSucceeded, message: rolled back, observedGeneration: 1}
  - {type: Released, status: "False", reason: UpgradeFailed, message: context deadline exceeded, observedGeneration: 1}
  - {type: Remediated, status: "True", reason: RollbackSucceeded, message: rolled back, observedGeneration: 1}
  history:
  - {version: 9, status: deployed, chartVersion: 1.0.0}
  - {version: 8, status: failed, chartVersion: 2.0.0}
  - {version: 7, status: superseded, chartVersion: 1.0.0}
`
	ready = `
observedGeneration: 1
lastAttemptedGeneration: 1
lastAttemptedRevision: 2.0.0
lastAttemptedReleaseAction: upgrade
conditions:
- {type: Ready, status: "True", reason: UpgradeSucceeded, message: ok, observedGeneration: 1}
- {type: Released, status: "True", reason: UpgradeSucceeded, message: ok, observedGeneration: 1}
history:
- {version: 10, status: deployed, chartVersion: 2.0.0}
`
)

func parse(t *testing.T, text string) map[string]any {
	t.Helper()
	out := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// shop returns what an edit makes of the stalled release.
func shop(t *testing.T, name string, edit ...string) map[string]any {
	t.Helper()
	object := parse(t, strings.NewReplacer(edit...).Replace(stalled))
	object["metadata"].(map[string]any)["name"] = name
	return object
}

func planned(t *testing.T, object map[string]any) Step {
	t.Helper()
	judged, err := incident.Source{Config: &rules.Config{}}.Look(object)
	if err != nil {
		t.Fatal(err)
	}
	return plan(judged)
}

func TestPlan(t *testing.T) {
	const reset = "flux reconcile helmrelease shop -n apps --reset"
	lost := []string{ // the upgrade failed, and nothing to roll back to is known
		"reason: RetriesExceeded", "reason: MissingRollbackTarget", "upgradeFailures: 4", "upgradeFailures: 1", "version: 9, status: deployed, chartVersion: 1.0.0", "version: 9, status: failed, chartVersion: 2.0.0",
		"  - {version: 8, status: failed, chartVersion: 2.0.0}\n", "", "  - {version: 7, status: superseded, chartVersion: 1.0.0}\n", "",
	}
	for _, c := range []struct {
		name, want string
		edit       []string
	}{
		{"stalled", reset, nil},
		{"without a target", reset, lost},
		{"suspended", "it is suspended; whoever did that takes it up again: flux resume helmrelease shop -n apps", []string{"spec: {", "spec: {suspend: true, "}},
		{"deleted", "it is being deleted", []string{"generation: 1, resource", "generation: 1, deletionTimestamp: '2026-01-01T00:00:00Z', resource"}},
		{"asked for", "helm-controller has not handled an earlier request yet", []string{"metadata: {", "metadata: {annotations: {reconcile.fluxcd.io/requestedAt: now}, "}},
		{"changed", "Flux goes on by itself: ", []string{"name: shop, namespace: apps, generation: 1", "name: shop, namespace: apps, generation: 2"}},
		{
			"being rolled back", "Flux goes on by itself: if the rollback still runs: ",
			[]string{`Stalled, status: "True", reason: RetriesExceeded, message: Failed to upgrade`, `Reconciling, status: "True", reason: Progressing, message: "Running 'rollback' action with timeout of 5m0s"`},
		},
		{
			"what a reset may uninstall", "flux reconcile helmrelease shop -n apps --force",
			[]string{
				"upgrade: {remediation: {retries: 3}}", "upgrade: {remediation: {retries: 1, strategy: uninstall, remediateLastFailure: false}}", "version: 9, status: deployed, chartVersion: 1.0.0", "version: 9, status: failed, chartVersion: 2.0.0",
				"  - {type: Remediated, status: \"True\", reason: RollbackSucceeded, message: rolled back, observedGeneration: 1}\n", "", "RollbackSucceeded", "UpgradeFailed",
			},
		},
	} {
		s := planned(t, shop(t, "shop", c.edit...))
		if got := s.Do + s.Left; !strings.HasPrefix(got, c.want) || s.Ready || (s.Do == "") == (s.Left == "") {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	healthy := shop(t, "shop")
	healthy["status"] = parse(t, ready)
	if s := planned(t, healthy); s.Left != "it is Ready" || !s.Ready {
		t.Errorf("healthy: %+v", s)
	}
}

// play is a stand-in for a controller. It handles a request when it is looked at for the
// second time, and then all attempts are over: well for those in good.
type play struct {
	t          *testing.T
	good       []string
	looks      map[string]int
	asked      []string
	busy, most int // releases that are tried now, and most how many were
}

func (p *play) handle(method string, object map[string]any) {
	meta := object["metadata"].(map[string]any)
	annotations, _ := meta["annotations"].(map[string]any)
	name, at := meta["name"].(string), annotations["reconcile.fluxcd.io/requestedAt"]
	switch {
	case method == http.MethodPatch:
		p.asked = append(p.asked, name+" "+strings.Join(slices.Sorted(maps.Keys(annotations)), " "))
		p.busy++
		p.most = max(p.most, p.busy)
	case at != nil:
		if p.looks[name]++; p.looks[name] != 2 {
			return
		}
		p.busy--
		if slices.Contains(p.good, name) {
			object["status"] = parse(p.t, ready)
		}
		for _, key := range []string{"lastHandledReconcileAt", "lastHandledResetAt", "lastHandledForceAt"} {
			object["status"].(map[string]any)[key] = at
		}
	}
}

// played carries out the plan for some releases, of which those in good have lost their cause.
func played(t *testing.T, edit func(*Options, *play, *livetest.Server), names, good []string) (p *play, ready bool, out string) {
	t.Helper()
	p = &play{t: t, good: good, looks: map[string]int{}}
	var objects []map[string]any
	for _, name := range names {
		objects = append(objects, shop(t, name))
	}
	server := livetest.New(t, objects...)
	server.Asked = p.handle
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := livetest.Kubeconfig(file, "production", map[string]*livetest.Server{"production": server}); err != nil {
		t.Fatal(err)
	}
	o := &Options{Access: live.Access{Kubeconfig: file}, AllStuck: true, Yes: true, AtOnce: 1, Wait: time.Minute, Pause: time.Millisecond, Now: time.Now}
	if edit != nil {
		edit(o, p, server)
	}
	var text bytes.Buffer
	ready, err := o.Run(t.Context(), &text, judge.Configuration{Config: &rules.Config{}}, nil)
	if err != nil {
		fmt.Fprintf(&text, "error: %v\n", err)
	}
	_, out, _ = strings.Cut(text.String(), "\n\n")
	return p, ready, out
}

func TestRun(t *testing.T) {
	p, ready, out := played(t, nil, []string{"a", "b"}, []string{"a", "b"})
	if want := "apps/a revived: it is Ready\napps/b revived: it is Ready\nrevived: 2\n"; !ready || out != want || p.most != 1 {
		t.Errorf("%s, want %s; %d at once", out, want, p.most)
	}
	if want := "a reconcile.fluxcd.io/requestedAt reconcile.fluxcd.io/resetAt"; len(p.asked) != 2 || p.asked[0] != want {
		t.Errorf("asked %q, want %q first", p.asked, want)
	}
	// It stops at the first that fails again, unless it is told to go on.
	p, ready, out = played(t, nil, []string{"a", "b", "c"}, []string{"a", "c"})
	if ready || len(p.asked) != 2 || !strings.HasSuffix(out, "apps/c not tried\nrevived: 1, failed again: 1, not tried: 1\n") {
		t.Errorf("%s, asked %q", out, p.asked)
	}
	if want := "apps/b failed again: it is stuck: Flux has given up after 4 failed upgrades (RetriesExceeded); the earlier chart version 1.0.0 runs; after: context deadline exceeded\n"; !strings.Contains(out, want) {
		t.Errorf("%s, want %s", out, want)
	}
	_, ready, out = played(t, func(o *Options, _ *play, _ *livetest.Server) { o.KeepGoing = true }, []string{"a", "b", "c"}, []string{"a", "c"})
	if ready || !strings.HasSuffix(out, "\nrevived: 2, failed again: 1\n") {
		t.Error(out)
	}
	// What depends on another one comes behind it, however many are tried at once.
	p, ready, out = played(t, func(o *Options, _ *play, s *livetest.Server) {
		o.AtOnce = 3
		s.Put(shop(t, "a", "interval: 1h", "interval: 1h, dependsOn: [{name: b}]"))
	}, []string{"a", "b"}, []string{"a", "b"})
	if want := "apps/b revived: it is Ready\napps/a revived: it is Ready\nrevived: 2\n"; !ready || out != want || p.most != 1 {
		t.Errorf("%s, want %s; %d at once", out, want, p.most)
	}
	all := []string{"a", "b", "c", "d", "e", "f"}
	p, ready, out = played(t, func(o *Options, _ *play, _ *livetest.Server) { o.AtOnce = 3 }, all, all)
	if !ready || p.most > 3 || !strings.HasSuffix(out, "\nrevived: 6\n") {
		t.Errorf("%s, %d at once", out, p.most)
	}
}

// What was planned may be done, or wrong, when its turn comes; a request may be lost, never
// handled, or refused.
func TestChanged(t *testing.T) {
	for want, edit := range map[string]func(*Options, *play, *livetest.Server){
		"apps/a left alone: it is not as planned any more, but suspended: Flux does nothing with it; the earlier chart version 1.0.0 runs\nleft alone: 1\n": func(_ *Options, _ *play, s *livetest.Server) {
			s.Asked = func(_ string, object map[string]any) { object["spec"].(map[string]any)["suspend"] = true }
		},
		"apps/a revived: it is Ready already\nrevived: 1\n": func(_ *Options, p *play, s *livetest.Server) {
			s.Asked = func(_ string, object map[string]any) { object["status"] = parse(p.t, ready) }
		},
		"apps/a not over in time: helm-controller has not ended a reconcile since the request\nnot over in time: 1\n": func(o *Options, p *play, _ *livetest.Server) {
			o.Wait, p.looks["a"] = time.Nanosecond, 9
		},
		"apps/a failed again: the request was lost, since the release is stuck": func(_ *Options, p *play, s *livetest.Server) {
			s.Asked = func(method string, object map[string]any) {
				if p.handle(method, object); method == http.MethodGet {
					delete(object["status"].(map[string]any), "lastHandledResetAt")
				}
			}
		},
		"the object has been modified\nnot known: 1\nerror: the cluster could not be asked\n": func(_ *Options, _ *play, s *livetest.Server) {
			s.Before = func(w http.ResponseWriter, r *http.Request) bool {
				patch := r.Method == http.MethodPatch
				if patch {
					livetest.Refuse(w, http.StatusConflict, "Conflict", "the object has been modified")
				}
				return patch
			}
		},
	} {
		if _, _, out := played(t, edit, []string{"a"}, nil); !strings.Contains(out, want) {
			t.Errorf("%s\nwant %s", out, want)
		}
	}
}
