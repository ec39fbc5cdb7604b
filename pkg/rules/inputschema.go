package rules

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/places"
)

// InputSchema is what the policies see of the schema that the API server has.
type InputSchema struct {
	// Known is false if nothing says what the API server accepts, or if that is newer than
	// what is known here: then what is not known may be right.
	Known bool `json:"known"`
	// From names what defines it in the tree; absent without a definition, as all that
	// follows. Then the fields are those of lib.fields.
	From string `json:"from,omitempty"`
	// Served are the versions of the API.
	Served []string `json:"served,omitempty"`
	// Limited and Plain are as in lib.fields, in the version of the object.
	Limited map[string]release.SchemaField `json:"limited,omitempty"`
	Plain   map[string]release.SchemaField `json:"plain,omitempty"`
	// Expressions are the checks in CEL of each field that has some.
	Expressions map[string][]string `json:"expressions,omitempty"`
}

func inputSchemaOf(r *release.Release) InputSchema {
	out := InputSchema{Known: r.Controller.KnowsSchema()}
	if defined := r.Controller.Schema; defined != nil {
		v := defined.Versions[versionOf(r.Object)]
		out.From, out.Served = defined.From, slices.AppendSeq([]string{}, maps.Keys(defined.Versions)) // none is not nil
		slices.Sort(out.Served)
		out.Limited, out.Plain, out.Expressions = v.Limited, v.Plain, v.Expressions
	}
	return out
}

func versionOf(object map[string]any) string {
	text, _ := object["apiVersion"].(string)
	return strings.TrimPrefix(text, release.Group+"/")
}

// schemaOf returns the section schema of an input, which is large and the same for all
// releases of a cluster.
func (c *compiled) schemaOf(r *release.Release) (places.Sealed, error) {
	key := schemaKey(r)
	if made, ok := c.schemas.Load(key); ok {
		return made.(places.Sealed), nil
	}
	term, err := places.TermOf(places.Plain(reflect.ValueOf(inputSchemaOf(r))))
	made := places.Sealed{Term: term, Name: key}
	if err == nil {
		c.schemas.Store(key, made)
	}
	return made, err
}

// schemaKey is equal only where the section is.
func schemaKey(r *release.Release) string {
	key := fmt.Sprint(r.Controller.KnowsSchema())
	if defined := r.Controller.Schema; defined != nil {
		key = fmt.Sprintf("%s %q %q", defined.Digest(), versionOf(r.Object), defined.From)
	}
	return key
}
