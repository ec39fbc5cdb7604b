package effective

import (
	"math/rand/v2"
	"path"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// What concerns a folder, of which a third is drawn, is the same whether clusters that do not read it are walked as a whole or not.
func TestFolderIsPartOfAll(t *testing.T) {
	fleets, err := filepath.Glob("../../../../testdata/fleet/*")
	if err != nil {
		t.Fatal(err)
	}
	folders, skimmed, pick := 0, 0, rand.IntN(3)
	for _, dir := range fleets {
		files, err := tree.Folder(t.Context(), dir, tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{".": true}
		for _, name := range files.Paths() {
			below := path.Dir(name)
			if seen[below] {
				continue
			}
			seen[below] = true
			if folders++; folders%3 != pick {
				continue
			}
			opts := Options{Inputs: []Input{{Files: files, Below: below}}, Config: &rules.Config{}, Builder: build.NewBuilder(), Now: time.Unix(0, 0)}
			part, err := Load(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range part.clusters {
				if c.Skimmed {
					skimmed++
				}
			}
			found, err := fleet.Resolve(t.Context(), manifests.NewIndex(files, opts.Builder), fleet.Options{Below: below})
			if err != nil {
				t.Fatal(err)
			}
			whole := &Tree{Accepting: map[int]map[string]bool{}, opts: opts}
			l := &loader{opts: opts, in: opts.Inputs[0], fleet: found, tree: whole}
			l.load()
			whole.sort()
			if got, want := told(part), told(whole); !reflect.DeepEqual(got, want) {
				t.Errorf("%s %s:\n%v\nwant\n%v", dir, below, got, want)
			}
		}
	}
	if t.Logf("%d folders, %d clusters skimmed", folders, skimmed); folders < 100 || skimmed < 40 {
		t.Errorf("%d folders, %d clusters skimmed", folders, skimmed)
	}
}

// told is what is found in a tree, without what the survey of a folder says.
func told(t *Tree) []any {
	var out []any
	for _, r := range t.Releases {
		out = append(out, r.ID(), r.Cluster, r.Tier, r.File, r.Line, r.Object, r.AppliedBy)
	}
	for _, u := range t.Undetermined {
		out = append(out, u)
	}
	return append(out, t.Unapplied)
}
