package incident

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestAnything: whatever a cluster says, it is told in plain lines.
func TestAnything(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	one := func(all ...string) string { return all[random.IntN(len(all))] }
	for range 500 {
		var conditions, history []any
		for _, name := range []string{"Ready", "Reconciling", "Stalled", "Released", "Remediated", "TestSuccess"} {
			if random.IntN(2) == 0 {
				conditions = append(conditions, map[string]any{
					"type": name, "status": one("True", "False", "Unknown"), "lastTransitionTime": one("2026-01-02T03:04:05Z", "2096-01-02T03:04:05Z"),
					"reason":  one("Progressing", "ProgressingWithRetry", "UpgradeFailed", "RetriesExceeded", "MissingRollbackTarget", "StateError", "\x1b[31m"),
					"message": one("", "Running 'upgrade' action with timeout", "a\nb\x1b]0;x\a", "::error::x", strings.Repeat("long ", 200)),
				})
			}
		}
		for range random.IntN(4) {
			history = append(history, map[string]any{"version": random.IntN(9), "status": one("deployed", "failed", "superseded", "uninstalling"), "chartVersion": one("1.0.0", "2.0.0\x1b")})
		}
		r, err := release.Decode(map[string]any{
			"apiVersion": release.Group + "/v2", "kind": "HelmRelease",
			"metadata": map[string]any{"name": one("shop", "$(reboot)"), "namespace": "apps", "generation": 1, "finalizers": []any{"finalizers.fluxcd.io"}},
			"spec":     map[string]any{"interval": one("1h", "0s"), "suspend": random.IntN(9) == 0, "upgrade": map[string]any{"remediation": map[string]any{"retries": random.IntN(3)}}},
			"status": map[string]any{
				"conditions": conditions, "history": history, "upgradeFailures": random.IntN(9), "lastAttemptedReleaseAction": one("", "install", "upgrade"),
				"lastAttemptedGeneration": random.IntN(3), "lastAttemptedRevision": one("", "2.0.0"),
			},
		}, release.Controller{})
		if err != nil {
			t.Fatal(err)
		}
		live, err := release.LiveOf(r.Object)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := Write(&out, "text", []Incident{Of(r, live, nil, time.Unix(1790000000, 0), Address{})}, rules.InForce{}); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if strings.ContainsAny(text, "\x1b\a") || strings.Contains(text, "\n::") || strings.Contains(text, "flux reconcile helmrelease $(") {
			t.Errorf("not plain: %q", text)
		}
		if strings.Contains(text, "%!") || strings.Contains(text, "  \n") {
			t.Errorf("not whole: %s", text)
		}
	}
}
