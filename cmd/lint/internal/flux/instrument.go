package flux

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// traceable tells whether objects of a kind carry a trace.
func traceable(kind any) bool { return kind == "HelmRelease" || kind == "Kustomization" }

// isFlux tells whether an object is a HelmRelease or a Flux Kustomization.
func isFlux(object map[string]any) bool {
	return isKind(object, "helm.toolkit.fluxcd.io", "HelmRelease") || isKustomization(object)
}

func isKustomization(object map[string]any) bool {
	return isKind(object, "kustomize.toolkit.fluxcd.io", "Kustomization")
}

// instrument adds traces to a stream of documents or patches. What it cannot
// follow it leaves as it is; nil means that nothing changed. target is the
// kind that a patch is for, and the writer says what the stream is.
func (t *tags) instrument(file *yamledit.File, w *writer, target string) []byte {
	nodes, ok := nodesOf(file.Data)
	docs := contentful(file.Documents)
	if !ok || len(nodes) != len(docs) {
		return nil
	}
	changed := false
	for i, doc := range docs {
		value, err := doc.Decode()
		if err != nil {
			return nil
		}
		if t.instrumentNode(nodes[i], doc, value, w, target) {
			changed = true
		}
	}
	if !changed {
		return nil
	}
	return encode(nodes)
}

// instrumentNode adds the trace to one document: an object or a list of
// operations of a JSON patch.
func (t *tags) instrumentNode(node *yaml.Node, doc *yamledit.Document, value any, w *writer, target string) bool {
	switch value := value.(type) {
	case map[string]any:
		return t.object(node, doc, value, w, nil)
	case []any:
		return traceable(target) && t.operations(node, doc, value, w)
	}
	return false
}

// object adds the trace to a HelmRelease, to a Flux Kustomization, to a patch
// of one, and to what a List or a ResourceSet holds.
func (t *tags) object(node *yaml.Node, doc *yamledit.Document, object map[string]any, w *writer, at []any) bool {
	if len(at) == 0 && w.what == "" {
		if isList(object) {
			return t.objects(node, doc, object["items"].([]any), w, []any{"items"})
		}
		if isResourceSet(object) {
			return t.resourceSet(node, doc, object, w)
		}
	}
	target := lookup(node, at)
	if !isFlux(object) || target == nil || target.Kind != yaml.MappingNode {
		return false
	}
	t.inner(node, doc, object, w, at)
	spec := append(slices.Clone(at), "spec")
	trace, _ := t.trace(doc, w, spec, object["spec"]).(map[string]any)
	if trace == nil {
		trace = map[string]any{}
	}
	if w.what == "" {
		trace[docKey] = t.add(field{doc: doc, path: at, writer: w})
	}
	appendKey(target, traceKey, trace)
	return true
}

// resourceSet lets a ResourceSet tell its document, and its templates theirs.
func (t *tags) resourceSet(node *yaml.Node, doc *yamledit.Document, object map[string]any, w *writer) bool {
	resources, _ := nested(object, "spec", "resources").([]any)
	t.objects(node, doc, resources, w, []any{"spec", "resources"})
	appendKey(root(node), traceKey, map[string]any{docKey: t.add(field{doc: doc, writer: w})})
	return true
}

func (t *tags) objects(node *yaml.Node, doc *yamledit.Document, items []any, w *writer, at []any) bool {
	changed := false
	for i, item := range items {
		if inner, ok := item.(map[string]any); ok && t.object(node, doc, inner, w, append(slices.Clone(at), i)) {
			changed = true
		}
	}
	return changed
}

// inner instruments the patches that an object's spec holds.
func (t *tags) inner(node *yaml.Node, doc *yamledit.Document, object map[string]any, w *writer, at []any) {
	holder := handedOut(w)
	if w.what == "" {
		holder = "Kustomization " + nameOf(object)
	}
	path := append(slices.Clone(at), "spec", "patches")
	t.patches(node, doc, nested(object, "spec", "patches"), holder, path)
}

// handedOut names the patches that a patch gives to Kustomizations.
func handedOut(w *writer) string { return "those that " + w.what + " gives to Kustomizations" }

// patches instruments the inline patches of a list.
func (t *tags) patches(node *yaml.Node, doc *yamledit.Document, list any, holder string, at []any) {
	for i, p := range patchesIn(list, at...) {
		t.text(node, doc, p, fmt.Sprintf("patch %d of %s", i+1, holder))
	}
}

// text instruments an inline patch and puts it back.
func (t *tags) text(node *yaml.Node, doc *yamledit.Document, p patch, what string) {
	scalar := lookup(node, p.at)
	embedded, ok := doc.Embedded(p.at...)
	if scalar == nil || scalar.Kind != yaml.ScalarNode || !ok {
		return
	}
	w := &writer{what: what, doc: doc}
	if len(embedded.Documents) > 0 {
		w.doc = embedded.Documents[0]
	}
	if data := t.instrument(embedded, w, p.kind()); data != nil {
		scalar.SetString(string(data))
		scalar.Style = yaml.LiteralStyle
	}
}

// operations adds to a JSON patch the same operations on the trace.
func (t *tags) operations(node *yaml.Node, doc *yamledit.Document, ops []any, w *writer) bool {
	var shadow []any
	for i, item := range ops {
		op, _ := item.(map[string]any)
		pointer, _ := op["path"].(string)
		t.innerOperation(node, doc, op, w, i)
		onTrace, ok := tracePointer(pointer)
		if !ok || op["op"] == "test" {
			continue
		}
		mirrored := map[string]any{"op": op["op"], "path": onTrace}
		if from, ok := op["from"].(string); ok {
			if mirrored["from"], ok = tracePointer(from); !ok {
				continue
			}
		}
		if value, ok := op["value"]; ok {
			mirrored["value"] = t.operand(doc, w, []any{i, "value"}, pointer, value)
		}
		shadow = append(shadow, mirrored)
	}
	for _, op := range shadow {
		item := &yaml.Node{}
		if err := item.Encode(op); err != nil {
			return false
		}
		root(node).Content = append(root(node).Content, item)
	}
	return true
}

func (t *tags) operand(doc *yamledit.Document, w *writer, at []any, pointer string, value any) any {
	if pointer == "/spec" {
		return t.trace(doc, w, at, value)
	}
	return t.mirror(doc, w, at, value)
}

// innerOperation instruments the patches that an operation adds to a Flux
// Kustomization: a list of them or a single one.
func (t *tags) innerOperation(node *yaml.Node, doc *yamledit.Document, op map[string]any, w *writer, i int) {
	pointer, _ := op["path"].(string)
	value := op["value"]
	switch {
	case pointer == "/spec":
		t.patches(node, doc, nested(value, "patches"), handedOut(w), []any{i, "value", "patches"})
	case pointer == "/spec/patches":
		t.patches(node, doc, value, handedOut(w), []any{i, "value"})
	case strings.HasPrefix(pointer, "/spec/patches/"):
		if entry := patchesIn([]any{value}); len(entry) == 1 {
			entry[0].at = []any{i, "value", "patch"}
			t.text(node, doc, entry[0], "the patch that "+w.what+" gives to Kustomizations")
		}
	}
}

// tracePointer gives the place in the trace of a place in spec.
func tracePointer(pointer string) (string, bool) {
	rest, ok := strings.CutPrefix(pointer, "/spec")
	if !ok || (rest != "" && rest[0] != '/') {
		return "", false
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
	return "/" + traceKey + rest, !slices.Contains(untraced, first)
}

// nameOf gives namespace/name of an object.
func nameOf(object map[string]any) string {
	namespace, _ := nested(object, "metadata", "namespace").(string)
	name, _ := nested(object, "metadata", "name").(string)
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}
