package effective

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Field names the field that decides, within its file: the object and the path in it.
// The name stays when something else in the file changes: it has no line, and an item of
// a list is named by what it is or is for. It is that of the field itself also where only
// a parent is written.
func (at Location) Field() string {
	switch {
	case at.doc == nil:
		return release.Path(at.path).String()
	case at.field == nil:
		return fieldOf(at.doc, at.path)
	case *at.field == "":
		*at.field = fieldOf(at.doc, at.path)
	}
	return *at.field
}

// Address returns the address of the field in its file; nil if it is not known.
func (at Location) Address() yamledit.Address {
	if at.doc == nil {
		return nil
	}
	return at.doc.Address(at.path...)
}

func fieldOf(doc *yamledit.Document, path []any) string {
	name := objectOf(doc)
	if outer, at, ok := doc.Outer(); ok {
		if len(doc.File.Documents) == 1 {
			name = "" // which patch it is says enough
		}
		name = strings.TrimSpace(fieldOf(outer, at) + " " + name)
	}
	return strings.TrimSpace(name + " " + pathIn(doc, path))
}

// objectOf names the object of a document: "Kustomization flux-system/apps".
func objectOf(doc *yamledit.Document) string {
	namespace, name := doc.Text("metadata", "namespace"), doc.Text("metadata", "name")
	if namespace != "" {
		name = namespace + "/" + name
	}
	return strings.TrimSpace(doc.Text("kind") + " " + name)
}

// pathIn returns a path in a document with names instead of indexes, as far as its items
// have any.
func pathIn(doc *yamledit.Document, path []any) string {
	var b strings.Builder
	for i, step := range path {
		index, ok := step.(int)
		switch key := (release.Path{step}).String(); {
		case ok:
			b.WriteString("[" + itemOf(doc.Each(path[:i]...), index) + "]")
		case i > 0 && key[0] != '[':
			b.WriteString("." + key)
		default:
			b.WriteString(key)
		}
	}
	return b.String()
}

// itemOf names an item of a list by what it is or is for, and so that the name stays when
// another item is put before it: several may have one name.
func itemOf(items []*yamledit.Document, index int) string {
	if index < len(items) {
		if name := titleOf(items[index]); name != "" {
			return name
		}
	}
	return fmt.Sprint(index)
}

// titleOf returns what an item of a list is, or is for: the target of a patch, the path of
// an operation, the name of an object; "" if it does not say.
func titleOf(item *yamledit.Document) string {
	value, _ := item.Decode()
	if text, ok := value.(string); ok {
		return patched(item, text)
	}
	entry, _ := value.(map[string]any)
	if target, ok := entry["target"].(map[string]any); ok {
		return selector(target)
	}
	if op := object.String(entry, "op"); op != "" {
		return op + " " + object.String(entry, "path")
	}
	for _, text := range []string{patched(item, object.String(entry, "patch"), "patch"), object.String(entry, "path")} {
		if text != "" {
			return text
		}
	}
	return strings.TrimSpace(object.String(entry, "kind") + " " + object.FullName(entry) + object.String(entry, "name"))
}

// patched names the object that an inline patch is for; "" if it does not say.
func patched(item *yamledit.Document, text string, at ...any) string {
	inner, ok := item.Embedded(at...)
	if text == "" || !ok {
		return ""
	}
	var names []string
	for _, doc := range inner.Documents {
		names = append(names, objectOf(doc))
	}
	return strings.TrimSpace(strings.Join(names, ", "))
}

// selector writes the target of a patch: "kind=HelmRelease name=shop".
func selector(target map[string]any) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(target)) {
		parts = append(parts, fmt.Sprintf("%s=%v", key, target[key]))
	}
	return strings.Join(parts, " ")
}
