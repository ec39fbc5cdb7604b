package yamledit

import "testing"

// A text inside a scalar keeps its quotes and its block: only what differs changes.
func TestSetInScalar(t *testing.T) {
	for _, tc := range []struct {
		name, before string
		path         []any
		value        any
		after        string // empty if the edit is refused
	}{
		{"double", "p: \"spec:\\n  a: 1\\n\" # c\n", []any{"spec", "a"}, 2, "p: \"spec:\\n  a: 2\\n\" # c\n"},
		{"lines in double", "p: \"spec:\\n  a: 1\\n\"\n", []any{"spec", "b", "c"}, "x", "p: \"spec:\\n  a: 1\\n  b:\\n    c: x\\n\"\n"},
		{"folded double", "p: \"spec:\\n\\\n    \\  a: \\\"1\\\"\\n\\\n    \\  b: 1\"\n", []any{"spec", "b"}, 2, "p: \"spec:\\n\\\n    \\  a: \\\"1\\\"\\n\\\n    \\  b: 2\"\n"},
		{"JSON in double", "p: \"{\\\"spec\\\": {\\\"\\u00e4\\\": 1}}\"\n", []any{"spec", "ä"}, 2, "p: \"{\\\"spec\\\": {\\\"\\u00e4\\\": 2}}\"\n"},
		{"single", "p: '{\"spec\": {\"a\": \"it''s\", \"b\": 1}}'\n", []any{"spec", "b"}, "isn't", "p: '{\"spec\": {\"a\": \"it''s\", \"b\": \"isn''t\"}}'\n"},
		{"single of several lines", "p: '{\"spec\":\n    {\"a\": 1}}'\n", []any{"spec", "b"}, 2, "p: '{\"spec\":\n    {\"a\": 1, \"b\": 2}}'\n"},
		{"lines in single", "p: 'a: 1'\n", []any{"b"}, 2, ""},
		{"plain", "p: \"{a: 1}\"\nq: 1\n", []any{"a"}, 2, "p: \"{a: 2}\"\nq: 1\n"},
		{"folded", "p: >-\n  - op: add\n    path: /x\n    value: 1\n  # c\nq: 1\n", []any{0, "value"}, 2, "p: >-\n  - op: add\n    path: /x\n    value: 2\n  # c\nq: 1\n"},
		{"folded list", "p: >\n   - op: add\n\n   - op: test\n     path: /x\n     value: 1\nq: 1\n", []any{1, "value"}, 2, "p: >\n   - op: add\n\n   - op: test\n     path: /x\n     value: 2\nq: 1\n"},
		{"lines in folded", "p: >\n  spec:\n    a: 1\n\nq: 1\n", []any{"spec", "b", "c"}, 2, "p: >\n  spec:\n    a: 1\n    b:\n      c: 2\n\nq: 1\n"},
		{"a top line in folded", "p: >-\n  a: 1\n\n  b: 2\nq: 1\n", []any{"c"}, 3, "p: >-\n  a: 1\n\n  b: 2\n\n  c: 3\nq: 1\n"},
		{"flow in folded", "p: >-\n  [{op: add,\n  value: 1}]\n", []any{0, "value"}, 2, "p: >-\n  [{op: add,\n  value: 2}]\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at := Address{{Path: []any{"p"}}, {Path: tc.path}}
			got, err := SetAt([]byte(tc.before), at, tc.value, Order{})
			if (err != nil) != (tc.after == "") || err == nil && string(got) != tc.after {
				t.Errorf("error %v, got\n%s\nwant\n%s", err, got, tc.after)
			}
		})
	}
}
