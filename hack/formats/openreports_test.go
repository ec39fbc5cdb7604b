package formats

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	openreports "github.com/openreports/reports-api/apis/openreports.io/v1alpha1"
	"sigs.k8s.io/yaml"
)

// Reports of an audit are what the Go API of OpenReports reads: with no other field, and
// with nothing lost. PolicyReports have the same fields, but for the source of a whole report.
func TestOpenReports(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list.yaml")
	if err := os.WriteFile(list, []byte(released), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"openreports", "policyreports"} {
		out, err := exec.Command(program, "audit", "-f", list, "--fail-on=off", "-o", format).Output()
		if err != nil {
			t.Fatal(err)
		}
		documents := bytes.Split(out, []byte("\n---\n"))
		if len(documents) != 2 {
			t.Fatalf("%d documents\n%s", len(documents), out)
		}
		for _, document := range documents {
			var report openreports.Report
			if err := yaml.UnmarshalStrict(document, &report); err != nil {
				t.Fatal(err)
			}
			counted := openreports.ReportSummary{}
			for _, result := range report.Results {
				switch result.Result {
				case "pass":
					counted.Pass++
				case "fail":
					counted.Fail++
				case "warn":
					counted.Warn++
				case "error":
					counted.Error++
				case "skip":
					counted.Skip++
				default:
					t.Errorf("result %q", result.Result)
				}
				if result.Source != "flux-remedy" || result.Policy == "" || result.Description == "" || result.Category == "" {
					t.Errorf("%+v", result)
				}
			}
			if report.Summary != counted || len(report.Results) == 0 {
				t.Errorf("summary %+v, want %+v", report.Summary, counted)
			}
			if report.Scope == nil || report.Scope.Kind != "HelmRelease" || report.Scope.Namespace != report.Namespace || report.Name != "flux-remedy-"+report.Scope.Name {
				t.Errorf("scope %+v of %s/%s", report.Scope, report.Namespace, report.Name)
			}
		}
	}
}

// released are two releases as kubectl prints them: one is new, one has given up.
const released = `apiVersion: v1
kind: List
items:
- apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata: {name: new, namespace: apps, uid: 8ecd1f1c, generation: 1}
  spec: {interval: 1h, chartRef: {kind: OCIRepository, name: shop}}
- apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata: {name: shop, namespace: apps, uid: 8ecd1f1d, generation: 1, finalizers: [finalizers.fluxcd.io]}
  spec: {interval: 1h, chartRef: {kind: OCIRepository, name: shop}}
  status:
    observedGeneration: 1
    lastAttemptedGeneration: 1
    lastAttemptedRevision: 2.0.0
    lastAttemptedReleaseAction: install
    installFailures: 1
    failures: 1
    conditions:
    - {type: Stalled, status: "True", reason: RetriesExceeded, message: Failed to install after 1 attempt(s), lastTransitionTime: "2026-01-02T03:04:05Z", observedGeneration: 1}
    - {type: Ready, status: "False", reason: InstallFailed, message: Helm install failed, lastTransitionTime: "2026-01-02T03:04:05Z", observedGeneration: 1}
    history:
    - {version: 1, status: failed, chartName: shop, chartVersion: 2.0.0, configDigest: "", digest: "", name: shop, namespace: apps}
`
