package yamledit

import (
	"fmt"
	"strings"
	"testing"
)

// of3KB is a release with values.
func of3KB() string {
	var b strings.Builder
	b.WriteString("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: app\nspec:\n  upgrade:\n    strategy:\n      name: RetryOnFailure\n  values:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "    key%d:\n      enabled: true # the default of the chart\n      text: \"%d\"\n", i, i)
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	text := []byte(of3KB())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse("release.yaml", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	file, err := Parse("release.yaml", []byte(of3KB()))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, exact := file.Documents[0].Find("spec", "upgrade", "strategy", "name"); !exact {
			b.Fatal("not found")
		}
	}
}
