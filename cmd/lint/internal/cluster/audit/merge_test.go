package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
)

// The shards of a fleet make the report that one run makes; a shard that is missing is named.
func TestMerge(t *testing.T) {
	dir := t.TempDir()
	kubeconfig := filepath.Join(dir, "kubeconfig")
	servers := map[string]*livetest.Server{}
	for i := range 24 {
		servers[fmt.Sprintf("c-%02d", i)] = livetest.New(t, ready("apps", "a"), stalled("apps", "b"), failing("data", "c", i))
	}
	servers["c-07"].Before = refuse("/api/v1/namespaces")
	servers["c-13"].Before = refuse("/apis/helm.toolkit.fluxcd.io")
	if err := livetest.Kubeconfig(kubeconfig, "c-00", servers); err != nil {
		t.Fatal(err)
	}
	by := engine(t)
	audit := func(shard overview.Shard) []byte {
		o := Options{Access: live.Access{Kubeconfig: kubeconfig}, All: true, Shard: shard}
		r, err := o.Run(t.Context(), disk(t, nil), configured(t, "{}"), by, now)
		if err != nil {
			t.Fatal(err)
		}
		return asJSON(t, r)
	}
	var files []string
	for i := range 5 {
		files = append(files, filepath.Join(dir, fmt.Sprint(i, ".json")))
		var part overview.Shard
		if err := part.Set(fmt.Sprintf("%d/5", i)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[i], audit(part), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	whole := audit(overview.Shard{})
	merged, err := overview.Merge(files)
	if err != nil || !bytes.Equal(asJSON(t, merged), whole) || len(merged.Clusters) != 24 || len(merged.Problems) != 2 {
		t.Errorf("%v:\n%s\nwant\n%s", err, asJSON(t, merged), whole)
	}
	part, err := overview.Merge([]string{files[4], files[0], files[2], files[3]})
	if err != nil || !strings.Contains(strings.Join(part.Problems, "\n"), "shard 1/5 is missing") || len(part.Clusters) >= 24 {
		t.Errorf("%v, %q", err, part.Problems)
	}
	if _, err := overview.Merge(append(files, files[2])); err == nil || !strings.Contains(err.Error(), " is in "+files[2]+", too") {
		t.Error(err)
	}
}

func asJSON(t *testing.T, r overview.Report) []byte {
	t.Helper()
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return data
}
