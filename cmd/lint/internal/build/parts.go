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
	units, text := unitsOf(string(data)), string(data)
	whole := &origin{run: func(steps []*step) ([]*resource.Resource, error) { return runFile(f, all, steps) }}
	apart := len(documentsOf(text))
	if units == nil {
		units = whole.units()
	}
	for i := range units {
		units[i].from, units[i].nth, units[i].text = whole, i, nil // which would keep the file
		if apart == len(units) {
			units[i].from, units[i].nth = documentOf(f, i, whole), 0
		}
	}
	return units
}

// documentOf returns the origin of one object in a file: what is done to it, kustomize does to its document alone. A
// file may hold all that Flux is installed with.
func documentOf(f *tree.File, nth int, whole *origin) *origin {
	out := &origin{run: func(steps []*step) ([]*resource.Resource, error) { return runFile(f, nth, steps) }}
	if known := whole.built[""]; known != nil {
		out.built = map[string][]outcome{"": known[nth : nth+1]}
	}
	return out
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
