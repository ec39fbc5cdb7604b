package policyreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"

	"sigs.k8s.io/yaml"
)

var judgedBy = rules.InForce{Digest: "sha256:0123456789abcdef", Bundle: "v7"}

// A report says how the release is and what the rules report, as counts and as results.
func TestReport(t *testing.T) {
	r := overview.Release{
		Subject:   overview.Subject{Name: release.Name{Namespace: "apps", Name: "a"}, UID: "uid-a"},
		Condition: overview.Condition{Phase: overview.Stuck, State: "stuck: Flux has given up", Reason: "RetriesExceeded", After: "RetriesExceeded it"},
		Outlook:   overview.Outlook{Elsewhere: "flux reconcile helmrelease a -n apps --reset"},
		Findings: []overview.Finding{
			{Rule: "no-recovery", Severity: rules.Error},
			{Rule: "slow", Severity: rules.Info},
			{Rule: "waived", Severity: rules.Error, Waived: &rules.Waiver{Reason: "moves"}},
		},
	}
	for _, k := range Kinds {
		report := k.report(r, judgedBy)
		if report.Summary.Fail != 2 || report.Summary.Skip != 1 || len(report.Results) != report.Summary.Fail+report.Summary.Warn+report.Summary.Skip {
			t.Errorf("%+v", report.Summary)
		}
		if a := report.Metadata.Annotations; a[policyKey] != judgedBy.Digest.String() || a[bundleKey] != "v7" {
			t.Errorf("judged by %v", a)
		}
		health := report.Results[0]
		if health.Policy != healthPolicy || health.Result != "fail" || health.Properties["reason"] != "RetriesExceeded" || !strings.HasPrefix(health.Properties["revive"], "flux reconcile") {
			t.Errorf("%+v", health)
		}
		if report.Metadata.Name != "flux-remedy-a" || report.Scope.UID != "uid-a" || report.Metadata.Owners[0].Name != "a" || (report.Source != "") != k.Sourced {
			t.Errorf("%+v", report)
		}
		if text, _ := json.Marshal(report); strings.Contains(string(text), "RetriesExceeded it") {
			t.Error("the message of the failure is told")
		}
	}
}

// Each phase has a result, and what is not judged is no pass.
func TestHealth(t *testing.T) {
	for phase, want := range map[overview.Phase]string{overview.Ready: "pass", overview.Stuck: "fail", overview.Interrupted: "fail", overview.Failing: "warn", overview.Waiting: "warn", overview.Unknown: "error", overview.Busy: "skip", overview.New: "skip", overview.Deleting: "skip", overview.Suspended: "skip"} {
		if got := health(overview.Release{Condition: overview.Condition{Phase: phase}}).Result; got != want {
			t.Errorf("%s: %s, want %s", phase, got, want)
		}
	}
}

func TestReportName(t *testing.T) {
	long, longer := strings.Repeat("a", 253), strings.Repeat("a", 252)+"b"
	for name, want := range map[string]string{"shop": "flux-remedy-shop", "a.b": "flux-remedy-a.b"} {
		if got := reportName(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if a, b := reportName(long), reportName(longer); a == b || len(a) > 253 || a != reportName(long) {
		t.Errorf("%s, %s", a, b)
	}
}

// What is printed can be read again, whatever a release says.
func TestPrint(t *testing.T) {
	all := []overview.Release{
		{Subject: overview.Subject{Name: release.Name{Namespace: "apps", Name: "a"}}, Condition: overview.Condition{Phase: overview.Stuck, State: "---\n- \"x\": yes # no\n\x1b[31m"}},
		{Subject: overview.Subject{Name: release.Name{Namespace: "apps", Name: "123"}}, Condition: overview.Condition{Phase: overview.Ready, State: "true"}},
	}
	for _, k := range Kinds {
		var out bytes.Buffer
		if err := k.Print(&out, all, judgedBy); err != nil {
			t.Fatal(err)
		}
		documents := strings.Split(out.String(), "\n---\n")
		if len(documents) != 2 || strings.Contains(out.String(), "\x1b") {
			t.Fatalf("%d documents\n%s", len(documents), out.String())
		}
		for i, text := range documents {
			var got, want report
			if err := yaml.UnmarshalStrict([]byte(text), &got); err != nil {
				t.Fatal(err)
			}
			want = k.report(all[i], judgedBy)
			if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); a != b {
				t.Errorf("%s\nwant\n%s", a, b)
			}
		}
	}
}
