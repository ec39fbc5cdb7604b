package policies_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/internal/ruletest"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// TestFixesConverge applies the fixes that the rules offer, one finding after the
// other, to all combinations of installs and upgrades: after at most five none is
// offered any more, and the release is of an accepted class.
func TestFixesConverge(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		prefer         rules.Class
		chart, version string
		want           rules.Class // the class at the end; "" is either
	}{
		"retry":              {prefer: rules.ClassRetry, chart: "podinfo", version: "1.6.3"},
		"bounded":            {prefer: rules.ClassBounded, chart: "podinfo", version: "1.6.3"},
		"chart with data":    {prefer: rules.ClassBounded, chart: "postgresql", version: "1.6.3", want: rules.ClassRetry},
		"without strategies": {prefer: rules.ClassRetry, chart: "podinfo", version: "1.3.0", want: rules.ClassBounded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine, err := engine.Under(&rules.Config{Spec: rules.ConfigSpec{Fix: rules.FixConfig{Prefer: tc.prefer}}})
			if err != nil {
				t.Fatal(err)
			}
			for install := range halves() {
				for upgrade := range halves(`"retries": 2, "strategy": "uninstall"`) {
					written := fmt.Sprintf(`{"interval": "1h", "timeout": "10m", "chartRef": {"kind": "OCIRepository", "name": %q}, "install": %s, "upgrade": %s}`,
						tc.chart, install, upgrade)
					class, spec := repaired(t, engine, tc.version, written)
					if class == rules.ClassViolating || tc.want != "" && class != tc.want {
						t.Errorf("%s\nends as %s\nof class %s", written, spec, class)
					}
				}
			}
		})
	}
}

// halves yields values of spec.install or spec.upgrade, as JSON: each strategy with
// each remediation and more ones.
func halves(more ...string) iter.Seq[string] {
	strategies := []string{"", `"strategy": {"name": "RemediateOnFailure"}, `, `"strategy": {"name": "RetryOnFailure", "retryInterval": "4m"}, `}
	remediations := append([]string{
		"", `"retries": 2`, `"retries": 50`, `"retries": 3, "remediateLastFailure": false`,
		`"remediateLastFailure": true, "ignoreTestFailures": true`,
	}, more...)
	return func(yield func(string) bool) {
		for _, strategy := range strategies {
			for _, remediation := range remediations {
				if !yield(fmt.Sprintf(`{%s"remediation": {%s}}`, strategy, remediation)) {
					return
				}
			}
		}
	}
}

// repaired applies fixes to a spec until none is offered. It returns the class and the
// spec at the end, or ClassViolating if there is no end.
func repaired(t *testing.T, engine *rules.Engine, version, written string) (rules.Class, string) {
	t.Helper()
	object := map[string]any{"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease"}
	var spec map[string]any
	if err := json.Unmarshal([]byte(written), &spec); err != nil {
		t.Fatal(err)
	}
	object["spec"] = spec
	hr, err := release.Decode(object, release.Controller{Version: version})
	if err != nil {
		t.Fatal(err)
	}
	hr.Tier = release.Production
	left, err := ruletest.Settle(t.Context(), engine, hr)
	if err != nil {
		t.Fatal(err)
	}
	if left != nil {
		return rules.ClassViolating, fmt.Sprint(hr.Object["spec"], ", for which a fix is still offered")
	}
	verdict, err := engine.Evaluate(t.Context(), hr, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return verdict.Class, fmt.Sprint(hr.Object["spec"])
}
