package release

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestLiveOf(t *testing.T) {
	object := map[string]any{}
	if err := json.Unmarshal([]byte(`{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": {
			"name": "shop", "generation": 3, "finalizers": ["finalizers.fluxcd.io"], "creationTimestamp": "2026-01-01T00:00:00Z",
			"annotations": {"reconcile.fluxcd.io/requestedAt": "b", "reconcile.fluxcd.io/resetAt": "b", "reconcile.fluxcd.io/forceAt": "a"}
		},
		"status": {
			"conditions": [{"type": "Ready", "status": "False", "reason": "UpgradeFailed", "message": "no", "lastTransitionTime": "2026-01-01T00:00:00Z"}],
			"history": [null, {"version": 2, "status": "failed", "chartVersion": "2.0.0", "digest": "", "name": "shop", "namespace": "apps"}],
			"upgradeFailures": 4, "lastHandledReconcileAt": "a", "lastAttemptedReleaseAction": "upgrade"
		}}`), &object); err != nil {
		t.Fatal(err)
	}
	live, err := LiveOf(object)
	if err != nil {
		t.Fatal(err)
	}
	if live.Generation != 3 || !live.Finalizer || live.Deleting || !live.Requested || live.Force || !live.Reset {
		t.Errorf("%+v", live)
	}
	if live.Status.UpgradeFailures != 4 || live.Status.History.Latest().ChartVersion != "2.0.0" || live.Condition("Ready").Message != "no" || live.Condition("Stalled") != nil {
		t.Errorf("%+v", live.Status)
	}
	if live.Status.LastHandledResetAt != "" {
		t.Error("reading a status handles its requests")
	}
	delete(object, "status")
	if _, err := LiveOf(object); !errors.Is(err, ErrNoStatus) {
		t.Errorf("without a status: %v", err)
	}
	object["metadata"].(map[string]any)["uid"] = "1234"
	if live, err := LiveOf(object); err != nil || len(live.Status.Conditions) > 0 {
		t.Errorf("just created: %+v, %v", live, err)
	}
	object["status"] = map[string]any{"history": "x"}
	if _, err := LiveOf(object); err == nil {
		t.Error("a status of a wrong type was read")
	}
}
