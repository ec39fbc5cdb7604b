package trees

import (
	"maps"
	"strings"
	"testing"
)

// A seed makes one tree, and another seed another one.
func TestSeed(t *testing.T) {
	for name, tree := range map[string]func(uint64) Tree{
		"plain": func(seed uint64) Tree { return Plain(seed, 50, 7, 9) },
		"apart": func(seed uint64) Tree { return Apart(seed, 50, 9) },
		"fleet": func(seed uint64) Tree { return Fleet(seed, 3) },
	} {
		if !maps.Equal(tree(1), tree(1)) {
			t.Errorf("%s: the same seed makes another tree", name)
		}
		if maps.Equal(tree(1), tree(2)) {
			t.Errorf("%s: another seed makes the same tree", name)
		}
	}
}

func TestSize(t *testing.T) {
	files, releases := 0, 0
	for _, text := range Plain(1, 100, 30, 9) {
		files++
		releases += strings.Count(text, "kind: HelmRelease\n")
	}
	if files != 4 || releases != 100 {
		t.Errorf("%d releases in %d files", releases, files)
	}
	kustomizations := 0
	for _, text := range Fleet(1, 16) {
		kustomizations += strings.Count(text, "kustomize.toolkit.fluxcd.io/")
	}
	if kustomizations != 336 {
		t.Errorf("%d Kustomizations in a fleet of 16 clusters", kustomizations)
	}
}
