package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

var judgedBy = rules.InForce{Digest: "sha256:0123456789abcdef", Bundle: "v7"}

// A report says how the release is and what the rules report, as counts and as results.
func TestReport(t *testing.T) {
	r := collected(t, "{}", nil, stalled("apps", "a")).Releases[0]
	r.Findings = append(r.Findings, Finding{Rule: "waived", Severity: rules.Error, Waived: &rules.Waiver{Reason: "moves"}})
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
	for phase, want := range map[Phase]string{Ready: "pass", Stuck: "fail", Interrupted: "fail", Failing: "warn", Waiting: "warn", Unknown: "error", Busy: "skip", New: "skip", Deleting: "skip", Suspended: "skip"} {
		if got := (Release{Phase: phase}).health().Result; got != want {
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
	r := newReport([]Release{
		{Name: release.Name{Namespace: "apps", Name: "a"}, Phase: Stuck, State: "---\n- \"x\": yes # no\n\x1b[31m"},
		{Name: release.Name{Namespace: "apps", Name: "123"}, Phase: Ready, State: "true"},
	}, nil, nil)
	for _, k := range Kinds {
		var out bytes.Buffer
		if err := Write(&out, k.Name, r, screen{}, ""); err != nil {
			t.Fatal(err)
		}
		documents := strings.Split(out.String(), "\n---\n")
		if len(documents) != 2 || strings.Contains(out.String(), "\x1b") {
			t.Fatalf("%d documents\n%s", len(documents), out.String())
		}
		for i, text := range documents {
			var got, want kubeReport
			if err := yaml.UnmarshalStrict([]byte(text), &got); err != nil {
				t.Fatal(err)
			}
			want = k.report(r.Releases[i], r.InForce)
			if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); a != b {
				t.Errorf("%s\nwant\n%s", a, b)
			}
		}
	}
}

// changes are the requests that change something.
func changes(s *livetest.Server, since int) []string {
	return slices.DeleteFunc(slices.Clone(s.Requests()[since:]), func(r string) bool { return strings.HasPrefix(r, "GET ") })
}

// What cannot be judged has a report that says so, and none is deleted while something
// cannot be read.
func TestReportsOfWhatIsUnread(t *testing.T) {
	k := Kinds[0]
	stale := k.report(Release{Name: release.Name{Namespace: "apps", Name: "gone"}}, judgedBy)
	var object map[string]any
	raw, _ := json.Marshal(stale)
	if err := json.Unmarshal(raw, &object); err != nil {
		t.Fatal(err)
	}
	broken := ready("apps", "a")
	broken["spec"] = []any{}
	server := livetest.New(t, broken, object)
	r := run(t, Options{WriteReports: k.Name}, map[string]*livetest.Server{"one": server})
	if got := changes(server, 0); len(r.Problems) != 1 || len(got) != 1 || !strings.HasPrefix(got[0], "PATCH ") {
		t.Errorf("%q, %q", r.Problems, got)
	}
}

// Without the CRD, or a right, the problem says what to do.
func TestReportsThatCannotBeWritten(t *testing.T) {
	for _, k := range Kinds {
		server := livetest.New(t, ready("apps", "a"))
		server.Before = func(w http.ResponseWriter, r *http.Request) bool {
			missing := strings.Contains(r.URL.Path, k.Resource.Group)
			if missing {
				livetest.Refuse(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
			}
			return missing
		}
		r := run(t, Options{WriteReports: k.Name}, map[string]*livetest.Server{"one": server})
		if len(r.Problems) != 1 || !strings.Contains(r.Problems[0], "the cluster has no CRD "+k.Resource.Plural+"."+k.Resource.Group) || !strings.Contains(r.Problems[0], k.CRDs) {
			t.Errorf("%q", r.Problems)
		}
	}
}
