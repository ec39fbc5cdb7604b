package audit

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/flux-remedy/remedy/pkg/release"
)

// The metrics are valid, count what the report does, and name what needs somebody.
func TestMetrics(t *testing.T) {
	r := collected(t, "{}", nil, ready("apps", "a"), ready("apps", "b"), stalled("apps", "c"), failing("apps", "d", 3))
	r.Clusters = append(r.Clusters, Cluster{Name: "a \"b\"\\\n", Incomplete: true})
	r.Problems = []string{"one"}
	text := string(metrics(r, now))
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

// No cluster's name makes a sample of another metric.
func TestMetricsOfHostileNames(t *testing.T) {
	for _, name := range []string{"a\"} 1\nflux_remedy_releases 5\n", `\`, "}\r\n#", "\x00\xff"} {
		r := newReport([]Release{{Name: release.Name{Namespace: "a", Name: "b"}, Cluster: name, Phase: Stuck}}, []Cluster{{Name: name}}, nil)
		text := metrics(r, now)
		if _, err := promlint.New(bytes.NewReader(text)).Lint(); err != nil || bytes.Contains(text, []byte("\nflux_remedy_releases 5")) {
			t.Errorf("%q: %v\n%s", name, err, text)
		}
	}
}

// The file is replaced as a whole, and is there for other users.
func TestMetricsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flux.prom")
	for range 2 {
		if err := WriteMetrics(file, newReport(nil, nil, nil), now); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(file)
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*"))
	if err != nil || info.Mode().Perm()&0o044 == 0 || len(left) > 0 {
		t.Errorf("%v, %v, left %q", err, info, left)
	}
	if err := WriteMetrics(filepath.Join(file, "a.prom"), newReport(nil, nil, nil), now); err == nil || !strings.HasPrefix(err.Error(), "write metrics: ") {
		t.Error(err)
	}
}
