package yamledit

import "testing"

// A new key goes before those that stay last, with what is commented out in its place.
func TestSetBeforeLast(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"before":            {"a: 1\nvalues:\n  b: 2\n", "a: 1\nnew: 3\nvalues:\n  b: 2\n"},
		"both":              {"a: 1\nvaluesFrom: []\nvalues: {}\n", "a: 1\nnew: 3\nvaluesFrom: []\nvalues: {}\n"},
		"comment of values": {"a: 1\n\n# of values\nvalues: {}\n", "a: 1\nnew: 3\n\n# of values\nvalues: {}\n"},
		"commented out":     {"a:\n  - 1\n  # - 2\nvalues: {}\n", "a:\n  - 1\n  # - 2\nnew: 3\nvalues: {}\n"},
		"commented block":   {"a:\n  b: 1\n  # c: 2\n# of values\nvalues: {}\n", "a:\n  b: 1\n  # c: 2\nnew: 3\n# of values\nvalues: {}\n"},
		"text before":       {"a: |\n  b\n\nvalues: {}\n", "a: |\n  b\nnew: 3\n\nvalues: {}\n"},
		"nothing before":    {"a:\nvalues: {}\n", "a:\nnew: 3\nvalues: {}\n"},
		"only values":       {"values: {}\n", "values: {}\nnew: 3\n"},
		"in between":        {"a: 1\nvalues: {}\nz: 1\n", "a: 1\nvalues: {}\nz: 1\nnew: 3\n"},
		"sorted":            {"values: {}\nz: 1\n", "values: {}\nz: 1\nnew: 3\n"},
		"no end of line":    {"a: 1\nvalues: {}", "a: 1\nnew: 3\nvalues: {}"},
		"Windows":           {"a: 1 # x\r\nvalues: {}\r\n", "a: 1 # x\r\nnew: 3\r\nvalues: {}\r\n"},
		"flow":              {"{a: 1, values: {}}\n", "{a: 1, values: {}, new: 3}\n"},
	} {
		got, err := SetAt([]byte(test.text), Address{{0, []any{"new"}}}, 3, Order{Last: []string{"values", "valuesFrom"}})
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %v\n%swant\n%s", name, err, got, test.want)
		}
	}
}

// A new key goes beside one that it belongs to, in their order.
func TestSetBeside(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"behind":          {"a: 1\none:\n  b: 2\n  # c: 3\n\nz: 1\n", "a: 1\none:\n  b: 2\n  # c: 3\ntwo: 3\n\nz: 1\n"},
		"behind null":     {"one:\nz: 1\n", "one:\ntwo: 3\nz: 1\n"},
		"neither":         {"a: 1\nvalues: {}\n", "a: 1\ntwo: 3\nvalues: {}\n"},
		"before":          {"a: 1\n# of three\nthree: 1\nz: 1\n", "a: 1\ntwo: 3\n# of three\nthree: 1\nz: 1\n"},
		"before first":    {"three: 1\nz: 1\n", "three: 1\nz: 1\ntwo: 3\n"},
		"a value, no key": {"a: one\nz: 1\n", "a: one\nz: 1\ntwo: 3\n"},
	} {
		got, err := SetAt([]byte(test.text), Address{{0, []any{"two"}}}, 3, Order{Beside: []string{"one", "two", "three"}, Last: []string{"values"}})
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %v\n%swant\n%s", name, err, got, test.want)
		}
	}
}
