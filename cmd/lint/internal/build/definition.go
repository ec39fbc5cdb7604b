package build

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/internal/crd"
	"github.com/flux-remedy/remedy/pkg/release"
)

// definitions are those that have been read, by their content: they are large, and many clusters have the same one.
type definitions struct {
	schemas cores.Once[[sha256.Size]byte, schema]
	kinds   cores.Once[[sha256.Size]byte, map[string]crd.Schema]
}

// schema is that of a definition, or why it has none.
type schema struct {
	schema *release.Schema
	err    error
}

// Schema returns what [crd.SchemaOf] does.
func (b *Builder) Schema(definition map[string]any, from string) (*release.Schema, error) {
	text, _ := json.Marshal(definition) // it is read from JSON or YAML
	out := b.definitions.schemas.Of(sha256.Sum256(append([]byte(from+" "), text...)), func() (out schema) {
		out.schema, out.err = crd.SchemaOf(definition, from)
		return out
	})
	return out.schema, out.err
}

// Kinds returns the schemas of the kinds that a definition defines, by apiVersion and kind.
func (b *Builder) Kinds(definition map[string]any) map[string]crd.Schema {
	text, _ := json.Marshal(definition)
	return b.definitions.kinds.Of(sha256.Sum256(text), func() map[string]crd.Schema {
		read, _ := crd.Read(text) // what cannot be read defines nothing
		return read.Known()
	})
}
