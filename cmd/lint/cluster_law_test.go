package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// reported is the JSON output of lint, without the fields that merge clusters.
type reported struct {
	Releases, Undetermined, Findings []map[string]any
}

// lintJSON lints a tree, all of it or one cluster.
func lintJSON(t *testing.T, dir string, args ...string) reported {
	t.Helper()
	var out, err bytes.Buffer
	run(t.Context(), append([]string{"lint", dir, "-o", "json"}, args...), streams{in: os.Stdin, out: &out, err: &err})
	var r reported
	if e := json.Unmarshal(out.Bytes(), &r); e != nil {
		t.Fatalf("%v: %s", e, err.String())
	}
	return r
}

// clusters returns the names of the clusters.
func (r reported) clusters() map[string]bool {
	names := map[string]bool{}
	for _, item := range slices.Concat(r.Releases, r.Undetermined) {
		name, _ := item["cluster"].(string)
		names[name] = true
	}
	return names
}

// of returns the part of one cluster.
func (r reported) of(cluster string) reported {
	var out reported
	is := func(item map[string]any) bool { return item["cluster"] == cluster }
	for _, item := range r.Releases {
		if is(item) {
			out.Releases = append(out.Releases, item)
		}
	}
	for _, item := range r.Undetermined {
		if is(item) {
			out.Undetermined = append(out.Undetermined, item)
		}
	}
	for _, item := range r.Findings {
		if clusters, _ := item["clusters"].([]any); slices.Contains(clusters, any(cluster)) {
			item = maps.Clone(item)
			maps.DeleteFunc(item, func(key string, _ any) bool {
				return slices.Contains([]string{"cluster", "clusters", "tiers", "severity"}, key) // merged from several clusters
			})
			out.Findings = append(out.Findings, item)
		}
	}
	slices.SortFunc(out.Findings, func(a, b map[string]any) int { // the worst first, which the severity decides
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	return out
}

// A run for one cluster reports exactly the part of that cluster in a run for all.
func TestOneClusterIsPartOfAll(t *testing.T) {
	fleets, err := filepath.Glob("../../testdata/fleet/*")
	if err != nil {
		t.Fatal(err)
	}
	clusters := 0
	for _, fleet := range append(fleets, "../../testdata/demo") {
		dir := filepath.Join(t.TempDir(), filepath.Base(fleet)) // outside of this repository
		if err := os.CopyFS(dir, os.DirFS(fleet)); err != nil {
			t.Fatal(err)
		}
		all := lintJSON(t, dir)
		names := all.clusters()
		if len(names) == 1 {
			continue
		}
		delete(names, "")
		for name := range names {
			clusters++
			one := lintJSON(t, dir, "--cluster", name)
			if got, want := lintJSON(t, dir, "--cluster", name[:1]+"*", "--cluster", name).of(name), all.of(name); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: for %s and others\n%v\nwant\n%v", dir, name, got, want)
			}
			if got, want := one.of(name), all.of(name); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: for %s\n%v\nwant\n%v", dir, name, got, want)
			}
			if len(one.Releases) != len(one.of(name).Releases) || len(one.Undetermined) != len(one.of(name).Undetermined) {
				t.Errorf("%s: the run for %s speaks of others", dir, name)
			}
		}
	}
	if clusters < 15 {
		t.Errorf("only %d clusters compared", clusters)
	}
}
