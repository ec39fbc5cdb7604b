package compose

import (
	"encoding/json"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// operationsOf returns a JSON patch; nil if a text is something else.
func operationsOf(text string) jsonpatch.Patch {
	file, err := yamledit.Parse("", []byte(text))
	if err != nil || !isOrdinary(text) || kustomize.CheckAliases([]byte(text)) != nil || len(file.Documents) != 1 {
		return nil
	}
	list, err := file.Documents[0].Decode()
	if _, isList := list.([]any); err != nil || !isList {
		return nil
	}
	data := []byte(text)
	if text[0] != '[' { // otherwise it must be JSON
		if data, err = yaml.YAMLToJSON(data); err != nil {
			return nil
		}
	}
	operations, err := jsonpatch.DecodePatch(data)
	if err != nil || slices.ContainsFunc(operations, seesAnnotations) {
		return nil
	}
	return operations
}

// seesAnnotations reports whether an operation may read, move or replace annotations as a whole:
// while kustomize applies it, those of its own are there.
func seesAnnotations(o jsonpatch.Operation) bool {
	at, err := o.Path()
	from, _ := o.From()
	return err != nil || o.Kind() == "test" || holdsAnnotations(at) || holdsAnnotations(from) && (o.Kind() == "copy" || o.Kind() == "move")
}

// holdsAnnotations reports whether a pointer leads to annotations or to what they are in. What
// is before its first slash does not count.
func holdsAnnotations(pointer string) bool {
	_, at, _ := strings.Cut(pointer, "/")
	return slices.Contains([]string{"", "metadata", "metadata/annotations"}, at)
}

// changesID reports whether an operation may change the type, the name or the namespace.
func changesID(o jsonpatch.Operation) bool {
	at, _ := o.Path()
	from, _ := o.From()
	isID := func(pointer string) bool {
		_, at, _ := strings.Cut(pointer, "/")
		return slices.Contains([]string{"apiVersion", "kind", "metadata/name", "metadata/namespace"}, at)
	}
	return isID(at) || isID(from) && o.Kind() == "move"
}

// operate applies a JSON patch, and reports whether it is certain what becomes of the object. It
// must not change the type or the name.
func (m *member) operate(operations jsonpatch.Patch) bool {
	if len(operations) == 0 || m.sound != nil || m.id.Group == "" {
		return false
	}
	data, err := json.Marshal(m.object)
	if err != nil {
		return false
	}
	if data, err = kustomize.Apply(operations, data); err != nil {
		return false
	}
	var out map[string]any
	if json.Unmarshal(data, &out) != nil || !isComposable(out) {
		return false
	}
	for _, at := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		if object.At(out, at...) != object.At(m.object, at...) {
			return false
		}
	}
	if !resource.IsPlainJSON(out) {
		return false
	}
	m.former = append(slices.Clip(m.former), former(m.id))
	m.object, m.dollar = out, true
	return true
}
