package manifests

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/internal/crd"
	"github.com/flux-remedy/remedy/pkg/release"
)

// definitions reads the CustomResourceDefinitions of Flux, in files and as they are applied, each once.
type definitions struct {
	files   func() []string               // that may have some
	written cores.Once[string, []Written] // in a file
	chosen  cores.Once[string, chosen]    // of a name
	defined cores.Once[uintptr, defined]  // what they define, by the address of the definition
}

// defined is what a definition defines.
type defined struct {
	object map[string]any // is kept, so that no other one has its address
	kinds  map[string]crd.Schema
}

// chosen is the one of a name that is written in the tree, with its file, or a note that several are.
type chosen struct {
	object map[string]any
	from   string
	note   string
}

// Definitions lists the definitions of a name in some files, in the order of the files. Only these are read.
func (x *Index) Definitions(name string, in func(file string) bool) []Written {
	var out []Written
	for _, file := range x.definitions.files() {
		if !in(file) {
			continue
		}
		for _, w := range x.definitions.written.Of(file, func() []Written { return x.definitionsIn(file) }) {
			if object.Name(w.Object) == name {
				out = append(out, w)
			}
		}
	}
	return out
}

func (x *Index) definitionsIn(file string) []Written {
	parsed, err := x.Builder.Parse(x.Files.File(file))
	if err != nil {
		return nil
	}
	var out []Written
	object.Each(parsed, func(doc *yamledit.Document, obj map[string]any) {
		if object.Is(obj, "CustomResourceDefinition") && object.IsDefinition(object.Name(obj)) {
			out = append(out, Written{file, doc, obj})
		}
	})
	return out
}

// defining lists the files that may have definitions.
func (x *Index) defining() []string {
	return slices.DeleteFunc(slices.Clone(x.Files.Paths()), func(name string) bool {
		return !build.IsManifest(name) || !x.Look(name).Defines
	})
}

// Definition returns what is written of a name and in which file, or a note that several are, once: definitions are
// large, and many objects ask for them.
func (x *Index) Definition(name string) (definition map[string]any, from, note string) {
	out := x.definitions.chosen.Of(name, func() (out chosen) {
		seen := map[tree.Hash]bool{}
		first := func(file string) bool { // many clusters have the same one
			of := x.Files.File(file).Hash()
			defer func() { seen[of] = true }()
			return !seen[of]
		}
		for _, w := range x.Definitions(name, first) {
			switch {
			case out.object == nil:
				out.object, out.from = w.Object, w.Path
			case !reflect.DeepEqual(out.object["spec"], w.Object["spec"]):
				return chosen{note: fmt.Sprintf("is not known: those in %s and %s differ", out.from, w.Path)}
			}
		}
		return out
	})
	return out.object, out.from, out.note
}

// Schema returns the schema of a definition of HelmRelease, or a note on why it has none. From names for people where
// that is from.
func (x *Index) Schema(definition map[string]any, from string) (*release.Schema, string) {
	out, err := x.Builder.Schema(definition, from)
	if err != nil {
		return nil, "in " + from + " does not say which fields there are: " + strings.Join(strings.Fields(err.Error()), " ")
	}
	return out, ""
}

// Kinds returns what a definition defines, by apiVersion and kind. Many objects ask for it: it is remembered by its
// address, too.
func (x *Index) Kinds(definition map[string]any) map[string]crd.Schema {
	return x.definitions.defined.Of(reflect.ValueOf(definition).Pointer(), func() defined {
		return defined{definition, x.Builder.Kinds(definition)}
	}).kinds
}
