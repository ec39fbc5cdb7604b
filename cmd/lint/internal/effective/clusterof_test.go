package effective

import (
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
)

// What nothing else lists may have the name of the cluster in whose folder it is.
func TestClusterOf(t *testing.T) {
	at := func(name, file string) *fleet.Resolved {
		return &fleet.Resolved{Cluster: &entries.Cluster{Name: name, File: file}}
	}
	base := &Tree{clusters: []*fleet.Resolved{at("main", "main/entry.yaml"), at("main", "main/crds.yaml"), at("edge", "edge.yaml")}}
	for _, tc := range []struct{ name, file, want string }{
		{"main", "main/entry.yaml", "main/entry.yaml"},
		{"main", "main/crds.yaml", "main/crds.yaml"},
		{"main", "main/moved.yaml", "main/entry.yaml"},
		{"edge", "main/crds.yaml", "edge.yaml"},
		{"new", "edge.yaml", ""},
	} {
		got := ""
		if found := base.clusterOf()(&entries.Cluster{Name: tc.name, File: tc.file}); found != nil {
			got = found.File
		}
		if got != tc.want {
			t.Errorf("%s of %s: %q, want %q", tc.name, tc.file, got, tc.want)
		}
	}
}
