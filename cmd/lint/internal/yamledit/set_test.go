package yamledit

import (
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	strategy := map[string]any{"name": "RetryOnFailure", "retryInterval": "5m"}
	for _, tc := range []struct {
		name, before, path string
		value              any
		after              string
	}{
		{"scalar", "# c\na:   1 # one\nb: 2\n", "a", 3, "# c\na:   3 # one\nb: 2\n"},
		{"keeps single quotes", "a: 'x' # c\n", "a", "it's", "a: 'it''s' # c\n"},
		{"keeps double quotes", "a: \"x\"\n", "a", "y\t", "a: \"y\\t\"\n"},
		{"plain stays plain", "a: 5m\n", "a", "10m", "a: 10m\n"},
		{"quotes what would not be a string", "a: x\n", "a", "y", "a: \"y\"\n"},
		{"quotes a date", "a: x\n", "a", "2001-01-01", "a: \"2001-01-01\"\n"},
		{"quotes stop at a number", "a: '1'\n", "a", 2, "a: 2\n"},
		{"null", "a: 1\n", "a", nil, "a: null\n"},
		{"bool", "a: {b: true}\n", "a/b", false, "a: {b: false}\n"},
		{"capitalized bool", "a: False # c\n", "a", true, "a: True # c\n"},
		{"bool in capitals", "a: {b: TRUE}\n", "a/b", false, "a: {b: FALSE}\n"},
		{"no bool before", "a: \"False\"\n", "a", true, "a: true\n"},
		{"no bool after", "a: False\n", "a", 1, "a: 1\n"},
		{"float", "a: 1\n", "a", 1.5, "a: 1.5\n"},
		{"value not written", "a: # c\nb: 1\n", "a", "x", "a: x # c\nb: 1\n"},
		{"plain of several lines", "a: x\n  y # c\nb: 1\n", "a", "z", "a: z # c\nb: 1\n"},
		{"windows", "a: 1\r\nb:\r\n  c: 1\r\n", "b/d/e", 2, "a: 1\r\nb:\r\n  c: 1\r\n  d:\r\n    e: 2\r\n"},
		{"no newline at the end", "a:\n  b: 1", "a/c", 2, "a:\n  b: 1\n  c: 2"},
		{"byte order mark", "\ufeffa: 1\n", "a", 2, "\ufeffa: 2\n"},
		{
			"missing chain",
			"spec:\n    chart: x # c\n\n# about values\nvalues: 1\n",
			"spec/upgrade/strategy/name", "RetryOnFailure",
			"spec:\n    chart: x # c\n    upgrade:\n        strategy:\n            name: RetryOnFailure\n\n# about values\nvalues: 1\n",
		},
		{
			"missing key after a nested mapping",
			"spec:\n  a:\n    b: 1\n  # end\n---\nspec: 2\n", "spec/c", 1,
			"spec:\n  a:\n    b: 1\n  c: 1\n  # end\n---\nspec: 2\n",
		},
		{
			"missing key after what is commented out",
			"spec:\n  values:\n    a: 1\n    # grafana:\n    #   on: true\n\n    # b: 1\n  # end\n", "spec/c", 1,
			"spec:\n  values:\n    a: 1\n    # grafana:\n    #   on: true\n\n    # b: 1\n  c: 1\n  # end\n",
		},
		{
			"missing key after what is commented out from the first column",
			"spec:\n  values:\n    a: 1\n\n#    grafana:\n#      on: true\n\n# the end\n", "spec/c", 1,
			"spec:\n  values:\n    a: 1\n\n#    grafana:\n#      on: true\n  c: 1\n\n# the end\n",
		},
		{"missing key after an item that is commented out", "l:\n- a\n# - b\n# end\n", "m", 1, "l:\n- a\n# - b\nm: 1\n# end\n"},
		{"missing key in a list item", "l:\n- a: 1\n- b: 1\n", "l/0/c", 1, "l:\n- a: 1\n  c: 1\n- b: 1\n"},
		{"missing key after a literal", "a:\n  t: |\n    x\n    y\n\nb: 1\n", "a/c", 1, "a:\n  t: |\n    x\n    y\n  c: 1\n\nb: 1\n"},
		{"missing key after a kept literal", "a:\n  t: |+\n    x\n\nb: 1\n", "a/c", 1, "a:\n  t: |+\n    x\n\n  c: 1\nb: 1\n"},
		{"in null", "spec:\n  install: # c\n  x: 1\n", "spec/install/strategy", strategy, "spec:\n  install: # c\n    strategy:\n      name: RetryOnFailure\n      retryInterval: 5m\n  x: 1\n"},
		{"in written null", "spec:\n  install: ~ # c\n", "spec/install/a", 1, "spec:\n  install: # c\n    a: 1\n"},
		{"in empty braces", "spec:\n  install: {} # c\n", "spec/install/a", 1, "spec:\n  install: # c\n    a: 1\n"},
		{"mapping over a mapping", "a:\n  # old\n  b: 1\n  c:\n    d: 1\ne: 1\n", "a", map[string]any{"x": 1, "z": []any{1}}, "a:\n  # old\n  x: 1\n  z:\n    - 1\ne: 1\n"},
		{"mapping over a scalar", "a: 1 # c\nb: 1\n", "a", strategy, "a: # c\n  name: RetryOnFailure\n  retryInterval: 5m\nb: 1\n"},
		{"scalar over a mapping", "a: # c\n  b: 1 # d\ne: 1\n", "a", "x", "a: x # c # d\ne: 1\n"},
		{"mapping over a list item", "l:\n  - 1\n  - 2\n", "l/0", map[string]any{"a": 1, "b": 2}, "l:\n  - a: 1\n    b: 2\n  - 2\n"},
		{"list style of the document", "l:\n- 1\n", "m", []any{"a", []any{1, 2}, map[string]any{"k": "v"}}, "l:\n- 1\nm:\n- a\n- - 1\n  - 2\n- k: v\n"},
		{"append to a list", "l:\n  - a: 1\n    b: 1\n# c\n", "l/1", map[string]any{"x": 1, "z": 2}, "l:\n  - a: 1\n    b: 1\n  - x: 1\n    z: 2\n# c\n"},
		{"append after an item with a comment before it", "l:\n  - # c\n\n    # d\n    a: 1\n# e\n", "l/1", 2, "l:\n  - # c\n\n    # d\n    a: 1\n  - 2\n# e\n"},
		{"append to a list in brackets", "l: [1, 2] # c\n", "l/2", "x", "l: [1, 2, x] # c\n"},
		{"flow", "{a: 1, b: {c: 1}}\n", "b/d", strategy, "{a: 1, b: {c: 1, d: {name: RetryOnFailure, retryInterval: 5m}}}\n"},
		{"flow of several lines", "{\n  a: 1, # one\n  b: 2\n}\n", "c", 3, "{\n  a: 1, # one\n  b: 2,\n  c: 3\n}\n"},
		{"flow with a trailing comma", "{\n  a: 1,\n}\n", "c", 3, "{\n  a: 1,\n  c: 3,\n}\n"},
		{"empty flow", "{a: { }}\n", "a/b", 1, "{a: {b: 1}}\n"},
		{"json", "{\n\t\"a\": 1,\n\t\"b\": {\"c\": \"x\"}\n}\n", "d/e", "y", "{\n\t\"a\": 1,\n\t\"b\": {\"c\": \"x\"},\n\t\"d\": {\"e\": \"y\"}\n}\n"},
		{"json of one line", `{"a": {"b": "x"}}`, "a/b", "y", `{"a": {"b": "y"}}`},
		{"keys that need quotes", "a:\n  b: 1\n", "a/y", 1, "a:\n  b: 1\n  \"y\": 1\n"},
		{"annotation", "a:\n  b: 1\n", "a/x.io~1y", "1", "a:\n  b: 1\n  x.io/y: \"1\"\n"},
		{"literal", "p: |\n  a: 1 # c\n  b: 2\nq: 1\n", "p", "a: 2 # c\nb: 2\n", "p: |\n  a: 2 # c\n  b: 2\nq: 1\n"},
		{"literal of another chomping", "l:\n  - p: |-\n        a: 1\n    q: 1\n", "l/0/p", "a: 1\n\nb: 2", "l:\n  - p: |-\n        a: 1\n\n        b: 2\n    q: 1\n"},
		{"literal with an indicator", "p: |2-\n    a: 1\nq: 1\n", "p", "  a: 2", "p: |2-\n    a: 2\nq: 1\n"},
		{"literal at the end", "p: |\n  a: 1", "p", "a: 2\n", "p: |\n  a: 2\n"},
		{"windows literal", "p: |\r\n  a: 1\r\n  b: 1\r\n", "p", "a: 2\nb: 1\n", "p: |\r\n  a: 2\r\n  b: 1\r\n"},
		{"text of several lines", "p: x\nq: 1\n", "p", "a\nb\n", "p: |\n  a\n  b\nq: 1\n"},
		{"in an unused anchor", "a: &x\n  b: 1\n", "a/b", 2, "a: &x\n  b: 2\n"},
		{"beside a merge key", "x: &x {a: 1}\nz:\n  <<: *x\n", "z/b", 2, "x: &x {a: 1}\nz:\n  <<: *x\n  b: 2\n"},
		{"same value", "a:   '1'   # c\n", "a", "1", "a:   '1'   # c\n"},
		{"wide characters", "ä: ö # ü\nb: {é: 1}\n", "b/é", 2, "ä: ö # ü\nb: {é: 2}\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := pathOf(tc.path)
			for i, step := range path {
				if s, ok := step.(string); ok {
					path[i] = strings.ReplaceAll(s, "~1", "/")
				}
				if s, ok := step.(string); ok && s == "1" {
					path[i] = 1
				}
			}
			got, err := SetAt([]byte(tc.before), Address{{0, path}}, tc.value, Order{})
			if err != nil || string(got) != tc.after {
				t.Fatalf("got %v\n%s\nwant\n%s", err, got, tc.after)
			}
			again, err := SetAt(got, Address{{0, path}}, tc.value, Order{})
			if err != nil || string(again) != tc.after {
				t.Fatalf("again: %v\n%s", err, again)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	for _, tc := range []struct{ name, before, path, want string }{
		{"below an alias", "x: &x {a: 1}\nz: *x\n", "z/a", `line 2: the field comes from the anchor "x"`},
		{"an alias", "x: &x 1\nz: *x\n", "z", `line 2: the value is the anchor "x"`},
		{"a merged field", "x: &x {a: 1}\nz: {<<: *x}\n", "z/a", "line 1: the field comes from a merge key"},
		{"an anchor that is used", "x: &x {a: 1}\nz: *x\n", "x/a", `line 1: the field is written in the anchor "x", which line 2 uses too`},
		{"a field of a scalar", "a: 1\n", "a/b", "no mapping"},
		{"an item of a mapping", "a: {}\n", "a/0", "no list"},
		{"an item far away", "a: [1]\n", "a/5", "as many items"},
		{"the root", "a: 1\n", "", "only a field"},
		{"an empty document", "---\n# c\n---\na: 1\n", "a", "only a field"},
		{"an unreadable document", "a: [\n", "a", "line"},
		{"no document", "", "a", "no document 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := SetAt([]byte(tc.before), Address{{0, pathOf(tc.path)}}, 7, Order{})
			if err == nil || !strings.Contains(err.Error(), tc.want) || got != nil {
				t.Fatalf("error %v, want %q\n%s", err, tc.want, got)
			}
		})
	}
}

func TestSetInLaterDocument(t *testing.T) {
	before := "# c\r\na: 1\r\n---\r\n# d\r\na: 1\r\n---\r\na: 1\r\n"
	got, err := SetAt([]byte(before), Address{{1, []any{"b"}}}, true, Order{})
	if want := "# c\r\na: 1\r\n---\r\n# d\r\na: 1\r\nb: true\r\n---\r\na: 1\r\n"; err != nil || string(got) != want {
		t.Fatalf("%v\n%q\nwant\n%q", err, got, want)
	}
}

func TestDelete(t *testing.T) {
	for _, tc := range []struct{ name, before, path, after string }{
		{"first", "a: 1 # c\nb: 2\n", "a", "b: 2\n"},
		{"middle", "a: 1\n# c\nb:\n  c: 1\n  d: 2 # e\nf: 1\n", "b", "a: 1\nf: 1\n"},
		{"last without newline", "a: 1\nb: 2", "b", "a: 1"},
		{"only", "a:\n  b: 1\nc: 1\n", "a/b", "a: {}\nc: 1\n"},
		{"first of an item", "l:\n  - a: 1\n    b: 2\n", "l/0/a", "l:\n  - b: 2\n"},
		{"item", "l:\n  - a: 1\n    b: 2\n  - c\n", "l/0", "l:\n  - c\n"},
		{"item with a comment before it", "l:\n  - # c\n    a: 1\n  - c\n", "l/0", "l:\n  - c\n"},
		{"last item with a comment before it", "l:\n- a\n- # c - d\n  # e\n  b: 1\nc: 1\n", "l/1", "l:\n- a\nc: 1\n"},
		{"last item", "l:\n- a\n- b: 1\nc: 1\n", "l/1", "l:\n- a\nc: 1\n"},
		{"only item", "l:\n- a:\n  - b\nc: 1\n", "l/0/a/0", "l:\n- a: []\nc: 1\n"},
		{"in braces", "{a: 1, b: 2, c: 3}\n", "a", "{b: 2, c: 3}\n"},
		{"last in braces", "{a: 1, b: [x], c: 3}\n", "c", "{a: 1, b: [x]}\n"},
		{"only in braces", "a: {b: 1}\n", "a/b", "a: {}\n"},
		{"windows", "a: 1\r\nb: 2\r\n", "b", "a: 1\r\n"},
		{"missing", "a: 1\n", "b/c", "a: 1\n"},
		{"after the marker", "---\na: 1\nb: 2\n", "a", "---\nb: 2\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := pathOf(tc.path)
			if tc.path == "l/1" {
				path[1] = 1
			}
			got, err := removeAt([]byte(tc.before), Address{{0, path}})
			if err != nil || string(got) != tc.after {
				t.Fatalf("got %v\n%q\nwant\n%q", err, got, tc.after)
			}
		})
	}
	if _, err := removeAt([]byte("x: &x {a: 1}\nz: *x\n"), Address{{0, []any{"z", "a"}}}); err == nil {
		t.Error("deleted below an alias")
	}
	if _, err := removeAt([]byte("x: &x 1\nz: *x\n"), Address{{0, []any{"x"}}}); err == nil {
		t.Error("deleted an anchor in use")
	}
}

// removeAt removes a field and nothing above it.
func removeAt(data []byte, at Address) ([]byte, error) {
	return edit(data, at, func(d *Document, path []any) ([]byte, error) { return d.remove(path) })
}
