package flux

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// traceKey is a field that is added to the HelmReleases, the Flux
// Kustomizations and the patches of both before they are built, and taken out
// of the result. It mirrors spec, but each value is a tag that names the place
// where the value is written. Kustomize treats it as it treats spec, so the
// result tells for each field who wrote it last, whatever the order, the
// selectors and the merge rules were.
const traceKey = "flux-remedy-trace"

// docKey is the field of the trace that names the object's own document.
const docKey = "document"

// field is a place where a value is written.
type field struct {
	doc    *yamledit.Document
	path   []any
	value  any
	writer *writer
}

// writer is a document or a patch.
type writer struct {
	what string // "patch 2 of Kustomization flux-system/apps"; "" for a document of its own
	doc  *yamledit.Document
}

// tags names the places by number.
type tags struct{ fields []field }

const tagPrefix = "trace:"

func (t *tags) add(f field) string {
	t.fields = append(t.fields, f)
	return tagPrefix + strconv.Itoa(len(t.fields)-1)
}

// get gives the place that a value of a trace names.
func (t *tags) get(v any) (field, bool) {
	s, _ := v.(string)
	number, ok := strings.CutPrefix(s, tagPrefix)
	if !ok {
		return field{}, false
	}
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(t.fields) {
		return field{}, false
	}
	return t.fields[i], true
}

// untraced are the fields of spec that are not mirrored: values, because no
// failure setting is in them and they may be large; patches, because their
// text carries a trace of its own.
var untraced = []string{"values", "patches"}

// trace mirrors the spec of an object or of a patch of one.
func (t *tags) trace(doc *yamledit.Document, w *writer, at []any, spec any) any {
	m, ok := spec.(map[string]any)
	if !ok {
		return t.mirror(doc, w, at, spec)
	}
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if strings.HasPrefix(key, "$") {
			out[key] = m[key]
		} else if !slices.Contains(untraced, key) {
			out[key] = t.mirror(doc, w, append(slices.Clone(at), key), m[key])
		}
	}
	return out
}

// mirror puts a tag in the place of each scalar. What tells kustomize to
// delete or replace stays, so that the trace is deleted or replaced too.
func (t *tags) mirror(doc *yamledit.Document, w *writer, at []any, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if strings.HasPrefix(key, "$") {
				out[key] = v[key]
				continue
			}
			out[key] = t.mirror(doc, w, append(slices.Clone(at), key), v[key])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = t.mirror(doc, w, append(slices.Clone(at), i), v[i])
		}
		return out
	case nil:
		return nil
	}
	return t.add(field{doc: doc, path: at, value: v, writer: w})
}
