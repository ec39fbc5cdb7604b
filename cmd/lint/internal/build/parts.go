package build

import (
	"sigs.k8s.io/kustomize/api/resource"
	kustypes "sigs.k8s.io/kustomize/api/types"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// parts are what builds are composed of, each content read once as long as there are not
// too many.
type parts struct {
	files   cores.Once[tree.Hash, []unit] // nil for what is not certain
	recipes cores.Once[tree.Hash, *recipe]
	patches cores.Once[patchKey, *patch]
	// generators are those of folders, which many builds list.
	generators results[generatorKey, *origin]
}

// keptParts is how many parts of a sort are kept. Beyond it they are read anew.
const keptParts = 1 << 15

func newParts() *parts {
	p := &parts{}
	p.files.Most, p.recipes.Most, p.patches.Most = keptParts, keptParts, keptParts
	return p
}

// units returns the objects in a file, and reports whether kustomize reads it as they are.
func (p *parts) units(f *tree.File) ([]unit, bool) {
	known := p.files.Of(f.Hash(), func() []unit { return unitsIn(f) })
	return known, known != nil
}

func unitsIn(f *tree.File) []unit {
	data, err := f.Data()
	if err != nil {
		return nil
	}
	text := string(data)
	units, apart := unitsOf(text, unitOf), len(documentsOf(text))
	whole := &origin{run: func(steps []*step) ([]*resource.Resource, error) { return runFile(f, all, steps) }}
	var known []outcome
	if units == nil {
		units, known = whole.units(), whole.after(nil)
	}
	for i := range units {
		units[i].from, units[i].nth, units[i].text = whole, i, nil // which would keep the file
		if apart == len(units) {
			units[i].from, units[i].nth = documentOf(f, i, known), 0
		}
	}
	return units
}

// documentOf returns the origin of one object in a file: what is done to it, kustomize does to its document alone. A
// file may hold all that Flux is installed with. What kustomize makes of all of it may be known.
func documentOf(f *tree.File, nth int, known []outcome) *origin {
	out := &origin{run: func(steps []*step) ([]*resource.Resource, error) { return runFile(f, nth, steps) }}
	if known != nil {
		out.built.Of("", func() []outcome { return known[nth : nth+1] })
	}
	return out
}

// recipe returns what a kustomization.yaml says.
func (p *parts) recipe(f *tree.File) *recipe {
	return p.recipes.Of(f.Hash(), func() *recipe {
		data, _ := f.Data() // what cannot be read is no recipe
		return recipeOf(data)
	})
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
	return p.patches.Of(key, func() *patch { return newPatch(text, target) })
}
