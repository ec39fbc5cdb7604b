package rules

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/places"
)

// visitField is called with a value written at or below a spec, the name of its field in the API, and
// its path, which is another one after the call.
type visitField func(name string, path []any, value any)

// eachField visits the values of an object without its values. Null values of objects are skipped.
func eachField(object map[string]any, visit visitField) {
	if spec := object["spec"]; spec != nil {
		visit.below(spec, "", append(make([]any, 0, 16), "spec"))
	}
}

// below visits a value and what is in it.
func (visit visitField) below(value any, name string, path []any) {
	visit(name, path, value)
	switch value := value.(type) {
	case map[string]any:
		var room [24]string
		for _, key := range places.AppendKeys(room[:0], value) {
			if value[key] != nil {
				visit.below(value[key], joined(name, stepName(key)), append(path, key))
			}
		}
	case []any:
		for i, item := range value {
			visit.below(item, joined(name, "*"), append(path, i))
		}
	}
}

func valuesOf(object map[string]any) places.Lists {
	return listsOf(object, places.AppendAll, func(path []any, value any) map[string]any { return map[string]any{"path": path, "value": value} })
}

func placesOf(object map[string]any) places.Lists {
	return listsOf(object, appendShape, func(path []any, value any) map[string]any {
		return map[string]any{"path": path, "type": typeName(value)}
	})
}

// listsOf returns a section of the input that holds a list for each field of an object by its name. What is appended
// of two specs is equal only where their sections are.
func listsOf(object map[string]any, add func(to []byte, spec any) []byte, item func(path []any, value any) map[string]any) places.Lists {
	return places.Lists{
		Hash: func(to []byte) []byte { return add(to, object["spec"]) },
		Of: func(names ...string) map[string]any {
			out := map[string]any{}
			eachField(object, func(name string, path []any, value any) {
				if len(names) == 0 || slices.Contains(names, name) {
					list, _ := out[name].([]any)
					out[name] = append(list, item(slices.Clone(path), value))
				}
			})
			return out
		},
	}
}

// appendShape appends what is written in a value but for what it says: its keys, and types.
func appendShape(to []byte, value any) []byte {
	switch v := value.(type) {
	case map[string]any:
		to = append(to, '{')
		var room [24]string
		for _, key := range places.AppendKeys(room[:0], v) {
			if v[key] != nil {
				to = appendShape(places.AppendText(to, key), v[key])
			}
		}
		return append(to, '}')
	case []any:
		to = append(to, '[')
		for _, item := range v {
			to = appendShape(to, item)
		}
		return append(to, ']')
	}
	return places.AppendText(to, typeName(value))
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

// writtenIn returns the names of the fields of an object, by the key below spec and by the rest of the name.
func writtenIn(object map[string]any) map[string]any {
	out := map[string]any{}
	eachField(object, func(name string, _ []any, _ any) {
		section, rest, _ := strings.Cut(name, ".")
		if section == "" {
			return
		}
		of, ok := out[section].(map[string]any)
		if !ok {
			of = map[string]any{}
			out[section] = of
		}
		of[rest] = true
	})
	return out
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
