package trace

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// operations adds operations on the shadow to a JSON patch, one for each of its
// operations on spec. It reports whether all of them could be added.
func (t *Table) operations(node *yaml.Node, doc *yamledit.Document, ops []any, w *Writer) bool {
	var mirrored []any
	for i, item := range ops {
		op, _ := item.(map[string]any)
		t.handedOutBy(node, doc, op, w, i)
		if shadow, ok := t.operation(doc, op, w, i); ok {
			mirrored = append(mirrored, shadow)
		}
	}
	if t.ListWriters && slices.ContainsFunc(ops, onSpec) {
		mirrored = append(mirrored, t.stampOperation(Origin{Doc: doc, Writer: w}))
	}
	for _, op := range mirrored {
		item := &yaml.Node{}
		if err := item.Encode(op); err != nil {
			return false
		}
		Root(node).Content = append(Root(node).Content, item)
	}
	return true
}

// onSpec reports whether an operation is on a field of spec.
func onSpec(op any) bool {
	pointer := object.String(op, "path")
	return pointer == "/spec" || strings.HasPrefix(pointer, "/spec/")
}

// operation returns the operation on the shadow that mirrors one of a JSON patch, and
// reports whether there is one.
func (t *Table) operation(doc *yamledit.Document, op map[string]any, w *Writer, i int) (map[string]any, bool) {
	pointer := object.String(op, "path")
	onShadow, ok := shadowPointer(pointer)
	if !ok || op["op"] == "test" {
		return nil, false
	}
	out := map[string]any{"op": op["op"], "path": onShadow}
	if from, ok := op["from"].(string); ok {
		if out["from"], ok = shadowPointer(from); !ok {
			return nil, false
		}
	}
	if value, ok := op["value"]; ok {
		out["value"] = t.operand(doc, w, []any{i, "value"}, pointer, value)
	}
	return out, true
}

func (t *Table) operand(doc *yamledit.Document, w *Writer, at []any, pointer string, value any) any {
	if pointer == "/spec" {
		shadow := t.mirror(doc, w, at, value)
		if fields, ok := shadow.(map[string]any); ok && t.ListWriters {
			fields[writersKey] = map[string]any{} // what it replaces had others
		}
		return shadow
	}
	return t.tagged(doc, w, at, value)
}

// handedOutBy instruments the patches that an operation adds to a Flux
// Kustomization: a list of them or a single one.
func (t *Table) handedOutBy(node *yaml.Node, doc *yamledit.Document, op map[string]any, w *Writer, i int) {
	pointer, value := object.String(op, "path"), op["value"]
	switch {
	case pointer == "/spec":
		t.list(node, doc, object.At(value, "patches"), addedBy(w), []any{i, "value", "patches"})
	case pointer == "/spec/patches":
		t.list(node, doc, value, addedBy(w), []any{i, "value"})
	case strings.HasPrefix(pointer, "/spec/patches/"):
		if entry := Patches([]any{value}); len(entry) == 1 {
			entry[0].At = []any{i, "value", "patch"}
			t.InstrumentPatch(node, doc, entry[0], "the patch"+addedBy(w))
		}
	}
}

// shadowPointer returns the JSON pointer into the shadow for one into spec, and reports
// whether there is one.
func shadowPointer(pointer string) (string, bool) {
	rest, ok := strings.CutPrefix(pointer, "/spec")
	if !ok || (rest != "" && rest[0] != '/') {
		return "", false
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	return "/" + key + rest, !slices.Contains(untraced, first)
}
