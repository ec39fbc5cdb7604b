package incident

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestStates: what is said first of releases that no failed action has brought where they
// are. now is 16 hours after all of them were created.
func TestStates(t *testing.T) {
	const (
		good   = `{observedGeneration: 1, lastAttemptedGeneration: 1, lastAttemptedRevision: 1.0.0, lastAttemptedReleaseAction: install, storageNamespace: apps, conditions: [{type: Ready, status: "True", reason: InstallSucceeded}, {type: Released, status: "True", reason: InstallSucceeded}], history: [{version: 1, status: deployed, chartVersion: 1.0.0}]}`
		denied = `{observedGeneration: 1, conditions: [{type: Ready, status: "False", reason: AccessDenied, message: blocked, lastTransitionTime: "2026-01-02T03:00:00Z"}, {type: Stalled, status: "True", reason: AccessDenied, message: blocked, lastTransitionTime: "2026-01-02T03:00:00Z"}]}`
		waits  = `{observedGeneration: 1, lastAttemptedGeneration: 1, lastAttemptedReleaseAction: upgrade, upgradeFailures: 1, conditions: [{type: Ready, status: "False", reason: DependencyNotReady, message: "dependency 'data/db' is not ready", lastTransitionTime: "2026-01-02T03:00:00Z"}, {type: Released, status: "False", reason: UpgradeFailed, message: long ago, lastTransitionTime: "2025-01-02T03:00:00Z"}], history: [{version: 1, status: deployed, chartVersion: 1.0.0}]}`
		undone = `{observedGeneration: 1, lastAttemptedGeneration: 1, lastAttemptedReleaseAction: install, storageNamespace: apps, conditions: [{type: Ready, status: "False", reason: UninstallFailed, message: hook, lastTransitionTime: "2026-01-02T18:59:00Z"}, {type: Released, status: "False", reason: UninstallFailed, message: hook}], history: [{version: 1, status: deployed, chartVersion: 1.0.0}]}`
	)
	looking := func(ready, since string) string {
		return `{observedGeneration: 1, lastAttemptedGeneration: 1, lastAttemptedRevision: 1.0.0, storageNamespace: apps, conditions: [{type: Reconciling, status: "True", reason: Progressing, message: Fulfilling prerequisites, lastTransitionTime: "2026-01-02T` + since + `Z"}` + ready + `], history: [{version: 1, status: deployed, chartVersion: 1.0.0}]}`
	}
	const (
		isReady = `, {type: Ready, status: "True", reason: InstallSucceeded, lastTransitionTime: "2026-01-02T03:00:00Z"}`
		runs    = `{observedGeneration: 1, lastAttemptedGeneration: 1, lastAttemptedRevision: 2.0.0, storageNamespace: apps, conditions: [{type: Reconciling, status: "True", reason: Progressing, message: "Running 'upgrade' action with timeout of 5m0s", lastTransitionTime: "2026-01-02T18:58:00Z"}, {type: Ready, status: Unknown, reason: Progressing, lastTransitionTime: "2026-01-02T18:58:00Z"}], history: [{version: 1, status: deployed, chartVersion: 1.0.0}]}`
	)
	for _, c := range []struct{ name, meta, spec, status, want string }{
		{"new", "", "", `{observedGeneration: -1}`, "new: Flux has done nothing yet; nothing is installed\n  since   2026-01-02 03:00:00 UTC\n  next    overdue: look whether helm-controller runs (flux check), and watches its namespace; then an install, then Ready\n"},
		{"just created", `creationTimestamp: "2026-01-02T18:59:00Z",`, "", `{}`, "new: Flux has done nothing yet; nothing is installed\n  since   2026-01-02 18:59:00 UTC\n  next    Flux looks at once; then an install, then Ready\n"},
		{"new and suspended", "", "suspend: true,", `{}`, "suspended: Flux does nothing with it; nothing is installed\n"},
		{"deleted", `deletionTimestamp: "2026-01-02T18:58:00Z",`, "", good, "being deleted; chart version 1.0.0 runs\n  since   2026-01-02 18:58:00 UTC\n  next    Flux uninstalls it at once; then it is gone\n"},
		{"deleted and suspended", `deletionTimestamp: "2026-01-02T18:58:00Z",`, "suspend: true,", good, "being deleted; chart version 1.0.0 runs\n  since   2026-01-02 18:58:00 UTC\n  next    Flux lets go of it at once, and what runs stays on the cluster\n"},
		{"deletion fails", `deletionTimestamp: "2026-01-02T18:58:00Z",`, "", undone, "being deleted; chart version 1.0.0 runs\n  since   2026-01-02 18:58:00 UTC, after: hook\n  next    Flux tries to uninstall it again within 15m of the last time; the wait doubles each time\n"},
		{"waiting", "", "", waits, "waiting: a release that it depends on is not ready; chart version 1.0.0 runs\n  since   2026-01-02 03:00:00 UTC, after: dependency 'data/db' is not ready\n  next    Flux looks every 30s; once it is there: an upgrade, then Ready\n"},
		{"first look", "", "", `{observedGeneration: -1, conditions: [{type: Reconciling, status: "True", reason: Progressing, message: Fulfilling prerequisites, lastTransitionTime: "2026-01-02T18:59:00Z"}]}`, "busy: Flux is reconciling it; nothing is installed\n  next    the next install comes at once; then Ready\n"},
		{"another look", "", "", looking(isReady, "18:59:00"), "busy: Flux is reconciling it; chart version 1.0.0 runs\n  since   2026-01-02 03:00:00 UTC\n  next    Flux looks at once; then Ready\n"},
		{"a look without end", "", "", looking(isReady, "18:00:00"), "interrupted: Flux began to reconcile it, and has not ended; chart version 1.0.0 runs\n  since   2026-01-02 03:00:00 UTC\n  next    overdue since 2026-01-02 18:05:00 UTC: look whether helm-controller runs (flux check); if it does, have it look again: flux reconcile helmrelease shop -n apps\n"},
		{"an upgrade", "", "", runs, "busy: the upgrade runs, unless the controller ended during it; the earlier chart version 1.0.0 runs\n  since   2026-01-02 18:58:00 UTC\n  next    if the upgrade still runs: the upgrade ends within 5m; if it goes well: Ready; if it fails: Stalled with RetriesExceeded\n          if the controller ended during the upgrade: Flux unlocks the release at once; if it goes well: an upgrade, then Ready; if it fails: a failed upgrade, then Stalled with RetriesExceeded\n"},
		{"an upgrade without end", "", "", strings.ReplaceAll(runs, "18:58", "17:58"), "interrupted: the upgrade was announced, and has not ended in its time; the earlier chart version 1.0.0 runs\n  since   2026-01-02 17:58:00 UTC\n  next    if the upgrade still runs: overdue since 2026-01-02 18:03:00 UTC: look whether helm-controller runs (flux check); if it does, have it look again: flux reconcile helmrelease shop -n apps\n"},
		{"denied", "", "", denied, "stuck: Flux has given up: the source of its chart is in a namespace that helm-controller must not read (AccessDenied); nothing is known to be installed\n  since   2026-01-02 03:00:00 UTC, after: blocked\n  next    nothing by itself\n  revive  once the cause is gone, the mildest first:\n          flux reconcile helmrelease shop -n apps\n            then an install, then Ready; if it fails again: Stalled with AccessDenied; risk none: what Flux does anyway, only sooner\n  set by  spec.chartRef.namespace: helm-controller runs with --no-cross-namespace-refs\n"},
	} {
		created := `creationTimestamp: "2026-01-02T03:00:00Z",`
		if strings.Contains(c.meta, "creationTimestamp") {
			created = ""
		}
		object := map[string]any{}
		if err := yaml.Unmarshal([]byte(`{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: shop, namespace: apps, uid: u, generation: 1, finalizers: [finalizers.fluxcd.io], `+
			c.meta+created+`}, spec: {`+c.spec+` interval: 1h, chartRef: {kind: OCIRepository, name: shop}}, status: `+c.status+`}`), &object); err != nil {
			t.Fatal(c.name, err)
		}
		r, err := release.Decode(object, release.Controller{})
		if err != nil {
			t.Fatal(err)
		}
		live, err := release.LiveOf(object)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Write(&out, "text", []Incident{Of(r, live, nil, time.Date(2026, 1, 2, 19, 0, 0, 0, time.UTC), Address{})}, rules.InForce{}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.HasPrefix(got, "apps/shop is "+c.want) {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}
