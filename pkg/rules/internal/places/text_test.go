package places

import (
	"reflect"
	"testing"
)

// alike are values that a short text might not tell apart.
var alike = []any{
	nil, 0.0, 1.0, -1.0, "0", false, true, "false", "null", "", "-", "{", "[",
	map[string]any{},
	[]any{},
	[]any{nil},
	[]any{0.0},
	[]any{""},
	[]any{[]any{}},
	[]any{[]any{}, []any{}},
	[]any{[]any{[]any{}}},
	[]any{map[string]any{}},
	[]any{"", ""},
	[]any{",", "\",\""},
	[]any{nil, nil},
}

// What is read of values tells them apart, however alike they are.
func TestPartsDiffer(t *testing.T) {
	seen := map[string]any{}
	for _, value := range alike {
		for _, below := range []any{value, map[string]any{"a": value}, map[string]any{"a": map[string]any{"b": value}}} {
			part, ok := AppendAt(nil, map[string]any{"object": below}, Place{"object"})
			if other, known := seen[string(part)]; !ok || known && !reflect.DeepEqual(other, below) {
				t.Errorf("%#v and %#v are both %s", other, below, part)
			}
			seen[string(part)] = below
		}
	}
}

// What is read of several places tells them apart, also where there is nothing at some.
func TestPlacesDiffer(t *testing.T) {
	read := func(input map[string]any) (out []byte) {
		for _, name := range []string{"a", "b", "c"} {
			out = Append(out, input, Place{name})
		}
		return out
	}
	is, other := read(map[string]any{"b": 1, "c": -1}), read(map[string]any{"a": -1, "c": 1})
	if string(is) == string(other) {
		t.Errorf("both are %s", is)
	}
}
