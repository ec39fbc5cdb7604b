package trace

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// key is the field that holds the shadow.
const key = "flux-remedy-trace"

// documentKey is the field of the shadow that names the object's own document.
const documentKey = "document"

// untraced are the fields of spec that are not mirrored: values, which hold no failure
// settings and may be large, and patches, whose text carries shadows of its own.
var untraced = []string{"values", "patches"}

// Writer is a document or a patch that sets fields.
type Writer struct {
	// What names a patch: "patch 2 of Kustomization flux-system/apps". It is
	// empty for an object's own document.
	What string
	// Doc is the document that a patch begins with; nil for an own document.
	Doc *yamledit.Document
}

// Origin is a place where a value is written.
type Origin struct {
	Doc    *yamledit.Document
	Path   []any // in the document
	Value  any
	Writer *Writer
}

// IsOperation reports whether the value is part of an operation of a JSON
// patch, such as [1 value strategy].
func (o Origin) IsOperation() bool {
	if len(o.Path) == 0 {
		return false
	}
	_, ok := o.Path[0].(int)
	return ok
}

// Table holds the origins that tags refer to. The zero table is empty and ready to use.
// It is safe for concurrent use once its fields are set.
type Table struct {
	// ListWriters is true if objects carry all their writers too, see [Table.Writers].
	ListWriters bool

	mu      sync.RWMutex
	origins []Origin
}

const tagPrefix = "trace:"

func (t *Table) add(o Origin) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.origins = append(t.origins, o)
	return tagPrefix + strconv.Itoa(len(t.origins)-1)
}

// Origin returns the origin that a value of a shadow refers to, and reports whether it
// is a tag.
func (t *Table) Origin(tag any) (Origin, bool) {
	s, _ := tag.(string)
	number, ok := strings.CutPrefix(s, tagPrefix)
	if !ok {
		return Origin{}, false
	}
	i, err := strconv.Atoi(number)
	t.mu.RLock()
	defer t.mu.RUnlock()
	if err != nil || i < 0 || i >= len(t.origins) {
		return Origin{}, false
	}
	return t.origins[i], true
}

// Document returns the origin of an object as a whole: its own document.
func (t *Table) Document(built map[string]any) (Origin, bool) {
	return t.Origin(object.At(built, key, documentKey))
}

// Of returns the shadow of a built object, in the shape of its spec; nil if it
// has none.
func Of(built map[string]any) map[string]any {
	shadow, _ := built[key].(map[string]any)
	return shadow
}

// Without returns a built object without its shadow.
func Without(built map[string]any) map[string]any {
	out := maps.Clone(built)
	delete(out, key)
	return out
}

// mirror returns the shadow of a spec or of a patch of one.
func (t *Table) mirror(doc *yamledit.Document, w *Writer, at []any, spec any) any {
	m, ok := spec.(map[string]any)
	if !ok {
		return t.tagged(doc, w, at, spec)
	}
	kept := maps.Clone(m)
	maps.DeleteFunc(kept, func(field string, _ any) bool { return slices.Contains(untraced, field) })
	return t.tagged(doc, w, at, kept)
}

// tagged returns a value with a tag instead of each scalar. Directives such as $patch
// stay, so that kustomize deletes or replaces the shadow too.
func (t *Table) tagged(doc *yamledit.Document, w *Writer, at []any, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, field := range slices.Sorted(maps.Keys(v)) {
			if strings.HasPrefix(field, "$") {
				out[field] = v[field]
				continue
			}
			out[field] = t.tagged(doc, w, append(slices.Clone(at), field), v[field])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = t.tagged(doc, w, append(slices.Clone(at), i), v[i])
		}
		return out
	case nil:
		return nil
	}
	return t.add(Origin{Doc: doc, Path: at, Value: v, Writer: w})
}
