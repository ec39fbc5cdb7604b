package build

import (
	"sigs.k8s.io/kustomize/api/resource"
	kustypes "sigs.k8s.io/kustomize/api/types"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// parts are what builds are composed of, each content read once as long as there are not
// too many.
type parts struct {
	files   map[tree.Hash][]unit // nil for what is not certain
	recipes map[tree.Hash]*recipe
	patches map[patchKey]*patch
}

func newParts() *parts {
	return &parts{map[tree.Hash][]unit{}, map[tree.Hash]*recipe{}, map[patchKey]*patch{}}
}

// keptParts is how many parts of a sort are kept. Beyond it they are read anew.
const keptParts = 1 << 15

// keep adds a part to those of its sort.
func keep[K comparable, V any](known map[K]V, key K, part V) {
	if len(known) >= keptParts {
		clear(known)
	}
	known[key] = part
}

// units returns the objects in a file, and reports whether kustomize reads it as they are.
func (p *parts) units(f *tree.File) ([]unit, bool) {
	known, ok := p.files[f.Hash()]
	if !ok {
		known = unitsIn(f)
		keep(p.files, f.Hash(), known)
	}
	return known, known != nil
}

func unitsIn(f *tree.File) []unit {
	data, err := f.Data()
	if err != nil {
		return nil
	}
	from := &origin{run: func(steps []*step) ([]*resource.Resource, error) { return runFile(f, steps) }}
	known := unitsOf(string(data))
	if known == nil {
		return from.units()
	}
	for i := range known {
		known[i].from, known[i].nth, known[i].text = from, i, nil // which would keep the file
	}
	return known
}

// recipe returns what a kustomization.yaml says.
func (p *parts) recipe(f *tree.File) *recipe {
	known, ok := p.recipes[f.Hash()]
	if !ok {
		data, _ := f.Data() // what cannot be read is no recipe
		known = recipeOf(data)
		keep(p.recipes, f.Hash(), known)
	}
	return known
}

type patchKey struct {
	text     string
	targeted bool
	target   kustypes.Selector
}

// patch returns a patch for a target, which may be nil.
func (p *parts) patch(text string, target *kustypes.Selector) *patch {
	key := patchKey{text: text}
	if target != nil {
		key.targeted, key.target = true, *target
	}
	known := p.patches[key]
	if known == nil {
		known = newPatch(text, target)
		keep(p.patches, key, known)
	}
	return known
}
