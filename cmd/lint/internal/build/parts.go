package build

import (
	kustypes "sigs.k8s.io/kustomize/api/types"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// parts are what builds are composed of, each content read once.
type parts struct {
	files   map[tree.Hash][]unit // nil for what is not certain
	recipes map[tree.Hash]*recipe
	patches map[patchKey]*patch
}

func newParts() *parts {
	return &parts{map[tree.Hash][]unit{}, map[tree.Hash]*recipe{}, map[patchKey]*patch{}}
}

// units returns the objects in a file, and reports whether kustomize reads it as they are.
func (p *parts) units(f *tree.File) ([]unit, bool) {
	known, ok := p.files[f.Hash()]
	if !ok {
		if data, err := f.Data(); err == nil {
			known = unitsOf(string(data))
		}
		p.files[f.Hash()] = known
	}
	return known, known != nil
}

// recipe returns what a kustomization.yaml says; nil if it is more than a recipe.
func (p *parts) recipe(f *tree.File) *recipe {
	known, ok := p.recipes[f.Hash()]
	if !ok {
		if data, err := f.Data(); err == nil {
			known = recipeOf(data)
		}
		p.recipes[f.Hash()] = known
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
		p.patches[key] = known
	}
	return known
}
