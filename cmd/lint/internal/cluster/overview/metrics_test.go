package overview

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

// No cluster's name makes a sample of another metric.
func TestMetricsOfHostileNames(t *testing.T) {
	for _, name := range []string{"a\"} 1\nflux_remedy_releases 5\n", `\`, "}\r\n#", "\x00\xff"} {
		r := Of([]Release{{Subject: Subject{Name: release.Name{Namespace: "a", Name: "b"}, Cluster: name}, Condition: Condition{Phase: Stuck}}}, []Cluster{{Name: name}}, nil)
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
		if err := WriteMetrics(file, Of(nil, nil, nil), now); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(file)
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".*"))
	if err != nil || info.Mode().Perm()&0o044 == 0 || len(left) > 0 {
		t.Errorf("%v, %v, left %q", err, info, left)
	}
	if err := WriteMetrics(filepath.Join(file, "a.prom"), Of(nil, nil, nil), now); err == nil || !strings.HasPrefix(err.Error(), "write metrics: ") {
		t.Error(err)
	}
}
