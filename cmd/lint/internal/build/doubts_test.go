package build_test

import (
	"cmp"
	"flag"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/rules"
)

var trees = flag.String("of", "../../../../testdata/demo", "folders, separated by spaces, whose builds are counted")

// TestDoubts counts the builds of real trees by why they were not composed: "make bench TREES=..." shows it. All
// builds of the example fleet are composed.
func TestDoubts(t *testing.T) {
	for _, dir := range strings.Fields(*trees) {
		files, err := tree.Folder(t.Context(), dir, tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := build.NewBuilder()
		if _, err := effective.Load(t.Context(), effective.Options{Config: &rules.Config{}, Builder: b, Inputs: []effective.Input{{Files: files}}}); err != nil {
			t.Fatal(err)
		}
		counts := b.Doubts()
		for _, doubt := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Compare(counts[b], counts[a]) }) {
			t.Logf("%-44s %4d  %s", filepath.Base(dir), counts[doubt], cmp.Or(doubt, "composed"))
		}
		if flag.Lookup("of").DefValue == dir && (len(counts) != 1 || counts[""] == 0) {
			t.Errorf("%s: %v", dir, counts)
		}
	}
}
