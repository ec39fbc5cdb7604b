package build_test

import (
	"cmp"
	"flag"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

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
		b := build.NewBuilder()
		load(t, dir, b)
		counts := b.Doubts()
		for _, doubt := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Compare(counts[b], counts[a]) }) {
			t.Logf("%-44s %4d  %s", filepath.Base(dir), counts[doubt], cmp.Or(doubt, "composed"))
		}
		if flag.Lookup("of").DefValue == dir && (len(counts) != 1 || counts[""] == 0) {
			t.Errorf("%s: %v", dir, counts)
		}
	}
}

// load works out all releases of a folder.
func load(tb testing.TB, dir string, builder *build.Builder) {
	files, err := tree.Folder(tb.Context(), dir, tree.Options{})
	if err == nil {
		_, err = effective.Load(tb.Context(), effective.Options{Config: &rules.Config{}, Builder: builder, Inputs: []effective.Input{{Files: files}}})
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkComposed works out all releases of real trees, as they are composed and by kustomize alone.
func BenchmarkComposed(b *testing.B) {
	for _, dir := range strings.Fields(*trees) {
		for name, builder := range map[string]func() *build.Builder{
			"composed": build.NewBuilder, "kustomize": func() *build.Builder { return build.NewBuilder().ByKustomize() },
		} {
			b.Run(filepath.Base(dir)+"/"+name, func(b *testing.B) {
				before := cpu(b)
				for b.Loop() {
					load(b, dir, builder())
				}
				b.ReportMetric(float64((cpu(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
			})
		}
	}
}

// cpu returns the time that this process has computed.
func cpu(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
