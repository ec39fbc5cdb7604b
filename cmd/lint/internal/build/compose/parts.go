package compose

import (
	kustypes "sigs.k8s.io/kustomize/api/types"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Composer composes builds of parts, each content of which is read once as long as there are not too many. It is safe for
// concurrent use.
type Composer struct {
	files   cores.Once[tree.Hash, []unit] // nil for what is not certain
	recipes cores.Once[tree.Hash, *recipe]
	patches cores.Once[patchKey, *patch]
	// generators are those of folders, which many builds list.
	generators kustomize.Memory[generatorKey, *origin]
}

// keptParts is how many parts of a sort are resource. Beyond it they are read anew.
const keptParts = 1 << 15

// New returns a composer that has read nothing.
func New() *Composer {
	c := &Composer{}
	c.files.Most, c.recipes.Most, c.patches.Most = keptParts, keptParts, keptParts
	return c
}

// units returns the objects in a file, and reports whether kustomize reads it as they are.
func (c *Composer) units(f *tree.File) ([]unit, bool) {
	known := c.files.Of(f.Hash(), func() []unit { return unitsIn(f) })
	return known, known != nil
}

func unitsIn(f *tree.File) []unit {
	data, err := f.Data()
	if err != nil {
		return nil
	}
	text := string(data)
	units, apart := unitsOf(text, unitOf), len(documentsOf(text))
	whole := &origin{run: func(steps []*step) ([]resource.Outcome, error) { return runFile(f, all, steps) }}
	var known []resource.Outcome
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
func documentOf(f *tree.File, nth int, known []resource.Outcome) *origin {
	out := &origin{run: func(steps []*step) ([]resource.Outcome, error) { return runFile(f, nth, steps) }}
	if known != nil {
		out.built.Of("", func() []resource.Outcome { return known[nth : nth+1] })
	}
	return out
}

// recipeIn returns what a kustomization.yaml says.
func (c *Composer) recipeIn(f *tree.File) *recipe {
	return c.recipes.Of(f.Hash(), func() *recipe {
		data, _ := f.Data() // what cannot be read is no recipe
		return recipeOf(data)
	})
}

type patchKey struct {
	text     string
	targeted bool
	target   kustypes.Selector
}

// patchOf returns a patch for a target, which may be nil.
func (c *Composer) patchOf(text string, target *kustypes.Selector) *patch {
	key := patchKey{text: text}
	if target != nil {
		key.targeted, key.target = true, *target
	}
	return c.patches.Of(key, func() *patch { return newPatch(text, target) })
}
