//go:build flux

package flux

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// status is a HelmRelease as the cluster had it, At seconds after the first.
type status struct {
	Run    string         `json:"run,omitempty"`
	At     float64        `json:"at"`
	Object map[string]any `json:"object"`
}

// statuses returns each state of the HelmRelease that was seen.
func (l *log) statuses() []status {
	var all []status
	var began time.Time
	for _, e := range l.all() {
		if e.object == nil || e.deleted {
			continue
		}
		if began.IsZero() {
			began = e.at
		}
		object := e.object.DeepCopy()
		unstructured.RemoveNestedField(object.Object, "metadata", "managedFields")
		all = append(all, status{At: e.at.Sub(began).Seconds(), Object: object.Object})
	}
	return all
}

// writeStatuses writes the states of all runs, which the law of the linter's package incident is held to.
func writeStatuses(t *testing.T, runs *sync.Map) {
	if *recordings == "" {
		return
	}
	all := map[string][]status{}
	runs.Range(func(name, states any) bool {
		all[name.(string)] = states.([]status)
		return true
	})
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, s := range all[name] {
			s.Run = name
			if err := json.NewEncoder(w).Encode(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*recordings, "nights.jsonl.gz"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
