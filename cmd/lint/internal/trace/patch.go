package trace

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Patch is one entry of spec.patches of a Flux Kustomization or of a list of
// patches in a kustomization.yaml.
type Patch struct {
	At     []any          // the field that holds the inline text
	Inline string         // "" if it is in a file
	File   string         // as written
	Target map[string]any // nil if the patch names its target itself
}

// Kind returns the kind that the patch is for, if its target allows only one.
func (p Patch) Kind() string {
	if kind := object.String(p.Target, "kind"); kind != "" {
		return kind
	}
	switch object.String(p.Target, "group") {
	case object.HelmGroup:
		return "HelmRelease"
	case object.KustomizeGroup:
		return "Kustomization"
	}
	return ""
}

// Patches reads the list of {patch, path, target} at a path.
func Patches(list any, at ...any) []Patch {
	items, _ := list.([]any)
	var out []Patch
	for i, item := range items {
		entry, _ := item.(map[string]any)
		target, _ := entry["target"].(map[string]any)
		out = append(out, Patch{
			At: append(slices.Clone(at), i, "patch"), Inline: object.String(entry, "patch"), File: object.String(entry, "path"), Target: target,
		})
	}
	return out
}

// InstrumentPatch adds shadows to an inline patch, in place. what names the patch.
func (t *Table) InstrumentPatch(node *yaml.Node, doc *yamledit.Document, p Patch, what string) {
	scalar := Lookup(node, p.At)
	embedded, ok := doc.Embedded(p.At...)
	if scalar == nil || scalar.Kind != yaml.ScalarNode || !ok {
		return
	}
	w := &Writer{What: what, Doc: doc}
	if len(embedded.Documents) > 0 {
		w.Doc = embedded.Documents[0]
	}
	if data := t.Instrument(embedded, w, p.Kind()); data != nil {
		SetText(scalar, data)
	}
}

// SetText makes a node a block of text.
func SetText(node *yaml.Node, text []byte) {
	node.SetString(string(text))
	node.Style = yaml.LiteralStyle
}

// handedOut instruments the patches in spec.patches of an object.
func (t *Table) handedOut(node *yaml.Node, doc *yamledit.Document, obj map[string]any, w *Writer, at []any) {
	by := " of Kustomization " + object.FullName(obj)
	if w.What != "" {
		by = addedBy(w)
	}
	t.list(node, doc, object.At(obj, "spec", "patches"), by, append(slices.Clone(at), "spec", "patches"))
}

// addedBy says of a patch which object or file adds it to Flux Kustomizations, by a patch of
// its own; for the end of a sentence.
func addedBy(w *Writer) string {
	_, by, _ := strings.Cut(strings.TrimPrefix(w.What, "patch "), " ")
	by = strings.TrimPrefix(strings.TrimPrefix(by, "of "), "that ")
	return " that " + strings.TrimSuffix(by, added) + added
}

const added = " adds to its child Kustomizations"

// list instruments the inline patches of a list.
func (t *Table) list(node *yaml.Node, doc *yamledit.Document, list any, by string, at []any) {
	for i, p := range Patches(list, at...) {
		t.InstrumentPatch(node, doc, p, fmt.Sprintf("patch %d%s", i+1, by))
	}
}
