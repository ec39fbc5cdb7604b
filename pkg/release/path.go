package release

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// Path names a field of an object: its string keys and int indexes from the
// root.
type Path []any

// isBare reports whether a key is one that is written as it is: [A-Za-z_][A-Za-z0-9_-]*.
func isBare(key string) bool {
	for i := range len(key) {
		switch c := key[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_':
		case i > 0 && ('0' <= c && c <= '9' || c == '-'):
		default:
			return false
		}
	}
	return key != ""
}

// String returns the path as Kubernetes writes it: spec.valuesFrom[0].name. A
// key that is not a plain word stands in brackets: metadata.annotations["a.b/c"].
func (p Path) String() string {
	var b strings.Builder
	for _, step := range p {
		switch s := step.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(s) + "]")
		case string:
			if !isBare(s) {
				b.WriteString("[" + strconv.Quote(s) + "]")
				continue
			}
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s)
		}
	}
	return b.String()
}

// In returns the value at the path of an object; nil if there is none.
func (p Path) In(value any) any {
	for _, step := range p {
		switch step := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			value = object[step]
		case int:
			list, _ := value.([]any)
			if step >= len(list) {
				return nil
			}
			value = list[step]
		}
	}
	return value
}

// MarshalText returns the text of [Path.String].
func (p Path) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// ParsePath reads a path from Rego or JSON: an array of strings and numbers. It
// returns an error for other types and for numbers that are not indexes.
func ParsePath(steps []any) (Path, error) {
	path := make(Path, 0, len(steps))
	for _, step := range steps {
		switch s := step.(type) {
		case string:
			path = append(path, s)
		case float64:
			if s < 0 || s != float64(int(s)) {
				return nil, fmt.Errorf("path holds %v, want an index", s)
			}
			path = append(path, int(s))
		default:
			return nil, fmt.Errorf("path holds %T, want a key or an index", step)
		}
	}
	return path, nil
}

// without returns a copy of the object v without the key. If v is not an object,
// it returns v.
func without(v any, key string) any {
	object, ok := v.(map[string]any)
	if !ok {
		return v
	}
	object = maps.Clone(object)
	delete(object, key)
	return object
}
