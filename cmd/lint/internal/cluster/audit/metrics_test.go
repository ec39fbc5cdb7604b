package audit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

// The metrics are valid, count what the report does, and name what needs somebody.
func TestMetrics(t *testing.T) {
	r := collected(t, "{}", nil, ready("apps", "a"), ready("apps", "b"), stalled("apps", "c"), failing("apps", "d", 3))
	r.Clusters = append(r.Clusters, overview.Cluster{Name: "a \"b\"\\\n", Incomplete: true})
	r.Problems = []string{"one"}
	file := filepath.Join(t.TempDir(), "flux.prom")
	if err := overview.WriteMetrics(file, r, now); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if problems, err := promlint.New(strings.NewReader(text)).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	for _, want := range []string{
		`flux_remedy_releases{cluster="one",tier="production",phase="ready"} 2`,
		`flux_remedy_releases{cluster="one",tier="production",phase="failing"} 1`,
		`flux_remedy_stuck_releases{cluster="one",tier="production",reason="RetriesExceeded"} 1`,
		`flux_remedy_stuck_release_since_timestamp_seconds{cluster="one",tier="production",reason="RetriesExceeded",namespace="apps",name="c"} 1767348000`,
		`flux_remedy_cluster_complete{cluster="one"} 1`,
		`flux_remedy_cluster_complete{cluster="a \"b\"\\\n"} 0`,
		`flux_remedy_audit_problems 1`,
		`flux_remedy_audit_timestamp_seconds 1767355200`,
	} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, `name="d"`) {
		t.Error("a release that Flux tries again needs nobody")
	}
}
