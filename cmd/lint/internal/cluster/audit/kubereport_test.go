package audit

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/policyreport"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"

	"sigs.k8s.io/yaml"
)

// changes are the requests that change something.
func changes(s *livetest.Server, since int) []string {
	return slices.DeleteFunc(slices.Clone(s.Requests()[since:]), func(r string) bool { return strings.HasPrefix(r, "GET ") })
}

// What cannot be judged has a report that says so, and none is deleted while something
// cannot be read.
func TestReportsOfWhatIsUnread(t *testing.T) {
	k := policyreport.Kinds[0]
	stale := printed(t, k, "apps", "gone")
	broken := ready("apps", "a")
	broken["spec"] = []any{}
	server := livetest.New(t, broken, stale)
	r := run(t, Options{WriteReports: k.Name}, map[string]*livetest.Server{"one": server})
	if got := changes(server, 0); len(r.Problems) != 1 || len(got) != 1 || !strings.HasPrefix(got[0], "PATCH ") {
		t.Errorf("%q, %q", r.Problems, got)
	}
}

// Without the CRD, or a right, the problem says what to do.
func TestReportsThatCannotBeWritten(t *testing.T) {
	for _, k := range policyreport.Kinds {
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

// printed returns the report about a stuck release, as an earlier run wrote it.
func printed(t *testing.T, k policyreport.Kind, namespace, name string) map[string]any {
	t.Helper()
	one := overview.Release{Subject: overview.Subject{Name: release.Name{Namespace: namespace, Name: name}}, Condition: overview.Condition{Phase: overview.Stuck}}
	var out bytes.Buffer
	var object map[string]any
	if err := k.Print(&out, []overview.Release{one}, rules.InForce{Digest: "sha256:0"}); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(out.Bytes(), &object); err != nil {
		t.Fatal(err)
	}
	return object
}
