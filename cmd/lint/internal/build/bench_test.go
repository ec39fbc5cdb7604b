package build

import (
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/buildtest"
)

// BenchmarkBuild builds an overlay with a patch as a Flux Kustomization does. Nothing is kept
// from one round to the next, but under again all is.
func BenchmarkBuild(b *testing.B) {
	tree := buildtest.Files(small)
	ks := buildtest.Kustomization(map[string]any{"path": "apps"})
	known := NewBuilder()
	source := known.Source("a", true, tree)
	for name, build := range map[string]func() *Result{
		"again": func() *Result { return known.Build(source, "apps", ks) },
		"first": func() *Result {
			builder := NewBuilder()
			return builder.Build(builder.Source("a", true, tree), "apps", ks)
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r := build(); r.Err != nil {
					b.Fatal(r.Err)
				}
			}
		})
	}
}
