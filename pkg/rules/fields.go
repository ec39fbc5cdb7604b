package rules

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// fields are what is written at and below the spec of an object, by the name of the field in
// the API.
type fields struct {
	values  map[string]any // lists of a path and a value each
	places  map[string]any // lists of a path and a type each
	written map[string]any // by the key below spec, and by the rest of the name
}

// fieldsOf returns the fields of an object without its values.
func fieldsOf(object map[string]any) fields {
	f := fields{map[string]any{}, map[string]any{}, map[string]any{}}
	if spec := object["spec"]; spec != nil {
		f.add(spec, "", []any{"spec"})
	}
	return f
}

// add adds a value and what is in it. Null values of objects are skipped.
func (f fields) add(value any, name string, path []any) {
	values, _ := f.values[name].([]any)
	f.values[name] = append(values, map[string]any{"path": path, "value": value})
	places, _ := f.places[name].([]any)
	f.places[name] = append(places, map[string]any{"path": path, "type": typeName(value)})
	f.mark(name)
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			if value[key] != nil {
				f.add(value[key], joined(name, stepName(key)), append(slices.Clip(path), key))
			}
		}
	case []any:
		for i, item := range value {
			f.add(item, joined(name, "*"), append(slices.Clip(path), i))
		}
	}
}

// typeName returns the type of a value as Rego names it.
func typeName(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case map[string]any:
		return "object"
	case []any:
		return "array"
	}
	return "number"
}

// mark notes that a field is written.
func (f fields) mark(name string) {
	section, rest, _ := strings.Cut(name, ".")
	if section == "" {
		return
	}
	of, ok := f.written[section].(map[string]any)
	if !ok {
		of = map[string]any{}
		f.written[section] = of
	}
	of[rest] = true
}

// joined returns the name of a field below another one; the spec itself has none.
func joined(name, step string) string {
	if name == "" {
		return step
	}
	return name + "." + step
}

// stepName returns a key as a step of a field's name. A key that would be read as two
// steps, as an item of a list or as nothing is "?"; no field of the API has such a key.
func stepName(key string) string {
	if key == "" || key == "*" || strings.Contains(key, ".") {
		return "?"
	}
	return key
}

// touches reports whether one path is within the other.
func touches(a, b release.Path) bool { return a.Within(b) || b.Within(a) }
