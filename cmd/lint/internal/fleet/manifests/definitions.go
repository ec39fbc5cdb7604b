package manifests

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/internal/crd"
	"github.com/flux-remedy/remedy/pkg/release"
)

// definitions are the CustomResourceDefinitions of Flux in a tree, and what was read of these and of those that are applied.
type definitions struct {
	written map[string][]Written                  // by name
	chosen  cores.Once[string, chosen]            // of a name
	schemas cores.Once[[sha256.Size]byte, schema] // that those of HelmRelease have, by their content
	kinds   cores.Once[[sha256.Size]byte, Kinds]  // that the other ones define, by their content
	defined cores.Once[uintptr, defined]          // the same, by the address of the definition
}

// Kinds are the schemas of kinds, by apiVersion and kind.
type Kinds map[string]crd.Schema

// defined is what a definition defines.
type defined struct {
	object map[string]any // is kept, so that no other one has its address
	kinds  Kinds
}

// chosen is the one of a name that is written in the tree, with its file, or a note that several are.
type chosen struct {
	object map[string]any
	from   string
	note   string
}

// schema is that of a definition, or a note on why it has none.
type schema struct {
	schema *release.Schema
	note   string
}

// Definitions lists the definitions of a name, in the order of the files.
func (x *Index) Definitions(name string) []Written { return x.definitions.written[name] }

// Definition returns what is written of a name and in which file, or a note that several are, once: definitions are
// large, and many objects ask for them.
func (x *Index) Definition(name string) (object map[string]any, from, note string) {
	out := x.definitions.chosen.Of(name, func() (out chosen) {
		for _, w := range x.Definitions(name) {
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
func (x *Index) Schema(object map[string]any, from string) (*release.Schema, string) {
	text, _ := json.Marshal(object) // it is read from JSON or YAML
	out := x.definitions.schemas.Of(sha256.Sum256(append([]byte(from+" "), text...)), func() (out schema) {
		var err error
		if out.schema, err = crd.SchemaOf(object, from); err != nil {
			out.note = "in " + from + " does not say which fields there are: " + strings.Join(strings.Fields(err.Error()), " ")
		}
		return out
	})
	return out.schema, out.note
}

// Kinds returns what a definition defines. Many objects ask for it: it is remembered by its address, too.
func (x *Index) Kinds(object map[string]any) Kinds {
	return x.definitions.defined.Of(reflect.ValueOf(object).Pointer(), func() defined {
		text, _ := json.Marshal(object)
		return defined{object, x.definitions.kinds.Of(sha256.Sum256(text), func() Kinds {
			read, _ := crd.Read(text) // what cannot be read defines nothing
			return read.Known()
		})}
	}).kinds
}
