package trace

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Instrument returns a stream of documents or patches with shadows; nil if nothing
// changed. What it cannot follow stays as it is. target is the kind that a patch is
// for, and the writer describes the stream.
func (t *Table) Instrument(file *yamledit.File, w *Writer, target string) []byte {
	nodes, ok := Nodes(file.Data())
	docs := withContent(file.Documents)
	if !ok || hasDirective(file.Data()) || w.What != "" && !Begins(file.Data()) || len(nodes) != len(docs) {
		return nil
	}
	changed := false
	for i, doc := range docs {
		value, err := doc.Decode()
		if err != nil {
			return nil
		}
		if t.document(nodes[i], doc, value, w, target) {
			changed = true
		}
	}
	if !changed {
		return nil
	}
	return Encode(nodes)
}

// hasDirective reports whether a stream may have a directive such as %YAML 1.1.
// Written anew it has none, and kustomize refuses most that it meets.
func hasDirective(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("%")) || bytes.Contains(data, []byte("\n%")) || bytes.Contains(data, []byte("\r%"))
}

func withContent(docs []*yamledit.Document) []*yamledit.Document {
	return slices.DeleteFunc(slices.Clone(docs), func(doc *yamledit.Document) bool {
		value, err := doc.Decode()
		return err == nil && value == nil
	})
}

// document adds the shadow to one document: an object or a list of operations
// of a JSON patch. It reports whether it did.
func (t *Table) document(node *yaml.Node, doc *yamledit.Document, value any, w *Writer, target string) bool {
	switch value := value.(type) {
	case map[string]any:
		return t.object(node, doc, value, w, nil)
	case []any:
		return object.Traced(target) && t.operations(node, doc, value, w)
	}
	return false
}

// object adds the shadow to a HelmRelease, to a Flux Kustomization, to a patch
// of one, and to what a List or a ResourceSet holds.
func (t *Table) object(node *yaml.Node, doc *yamledit.Document, obj map[string]any, w *Writer, at []any) bool {
	if len(at) == 0 && w.What == "" {
		if object.IsList(obj) {
			return t.objects(node, doc, obj["items"].([]any), w, []any{"items"})
		}
		if object.IsResourceSet(obj) {
			return t.resourceSet(node, doc, obj, w)
		}
	}
	target := Lookup(node, at)
	if !object.IsTraced(obj) || target == nil || target.Kind != yaml.MappingNode {
		return false
	}
	t.handedOut(node, doc, obj, w, at)
	shadow, _ := t.mirror(doc, w, append(slices.Clone(at), "spec"), obj["spec"]).(map[string]any)
	if shadow == nil {
		shadow = map[string]any{}
	}
	if w.What == "" {
		shadow[documentKey] = t.add(Origin{Doc: doc, Path: at, Writer: w})
	}
	t.stamp(shadow, Origin{Doc: doc, Path: at, Writer: w})
	AppendKey(target, key, shadow)
	return true
}

// resourceSet adds the shadow to a ResourceSet, which names its document, and to its
// templates.
func (t *Table) resourceSet(node *yaml.Node, doc *yamledit.Document, obj map[string]any, w *Writer) bool {
	resources, _ := object.At(obj, "spec", "resources").([]any)
	t.objects(node, doc, resources, w, []any{"spec", "resources"})
	AppendKey(Root(node), key, map[string]any{documentKey: t.add(Origin{Doc: doc, Writer: w})})
	return true
}

func (t *Table) objects(node *yaml.Node, doc *yamledit.Document, items []any, w *Writer, at []any) bool {
	changed := false
	for i, item := range items {
		if inner, ok := item.(map[string]any); ok && t.object(node, doc, inner, w, append(slices.Clone(at), i)) {
			changed = true
		}
	}
	return changed
}
