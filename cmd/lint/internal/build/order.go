package build

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// Patches returns the texts of the patches of a build, with their shadows, in the order in
// which kustomize applies them to the objects of a file: those of inner folders first.
// Only folders that take the file are looked at, and components.
// Source: sigs.k8s.io/kustomize/api/internal/target, accumulateTarget and
// configureBuiltinTransformers.
func (s *Source) Patches(dir string, ks map[string]any, is func(path string) bool) []string {
	var added []string
	for _, p := range trace.Patches(object.At(ks, "spec", "patches")) {
		added = append(added, p.Inline)
	}
	return s.patchesIn(dir, ks, added, is)
}

func (s *Source) patchesIn(dir string, ks map[string]any, added []string, is func(path string) bool) []string {
	k := s.KustFileIn(dir)
	var out []string
	for _, inner := range s.inner(dir, k, ks) {
		if !s.IsDir(inner) || inner == dir {
			continue
		}
		in := s.KustFileIn(inner)
		if in != nil && in.Component || slices.ContainsFunc(s.Walk(inner, nil).Files, is) {
			out = append(out, s.patchesIn(inner, nil, nil, is)...)
		}
	}
	if k == nil {
		return append(out, added...)
	}
	var late []string
	for _, p := range s.tracedKust(k).patches() {
		if p.At[0] == "patchesJson6902" {
			late = append(late, p.Inline)
			continue
		}
		out = append(out, p.Inline)
	}
	return slices.Concat(out, added, late)
}

// tracedKust returns a kustomization.yaml as it is built with shadows.
func (s *Source) tracedKust(k *KustFile) *KustFile {
	file, err := s.by.contents.parse(s.traced.File(k.Path))
	if err != nil {
		return k
	}
	if traced := kustFileOf(k.Path, file); traced != nil {
		return traced
	}
	return k
}
