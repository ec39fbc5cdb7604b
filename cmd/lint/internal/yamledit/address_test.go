package yamledit

import (
	"strings"
	"testing"
)

// TestEditAt edits a field of the YAML inside a string. Everything else stays,
// even space at the ends of lines.
func TestEditAt(t *testing.T) {
	const patch = `# outer
kind: Kustomization
spec:
  patches:
  - target: {kind: HelmRelease}   # all
    patch: |  # inner
      # é 🙂 comment
      spec:
        install:   
          strategy: {name: RetryOnFailure}

        upgrade:
          remediation: # why
            retries: 3
  path: ./apps
`
	path := []any{"spec", "patches", 0, "patch"}
	for _, tc := range []struct {
		name     string
		text     string
		inner    []any
		value    any // nil deletes
		old, new string
	}{
		{"set", patch, []any{"spec", "upgrade", "remediation", "retries"}, 5, "retries: 3", "retries: 5"},
		{"insert", patch, []any{"spec", "upgrade", "timeout"}, "5m", "retries: 3\n", "retries: 3\n          timeout: 5m\n"},
		{"append", patch, []any{"kind"}, "X", "retries: 3\n", "retries: 3\n      kind: X\n"},
		{"delete", patch, []any{"spec", "install"}, nil, "        install:   \n          strategy: {name: RetryOnFailure}\n", ""},
		{"windows", strings.ReplaceAll(patch, "\n", "\r\n"), []any{"kind"}, "X", "retries: 3\r\n", "retries: 3\r\n      kind: X\r\n"},
		{"stripped", strings.Replace(patch, "|  #", "|- #", 1), []any{"kind"}, "X", "retries: 3\n", "retries: 3\n      kind: X\n"},
		{"end of file", strings.TrimSuffix(patch, "\n  path: ./apps\n"), []any{"spec", "upgrade", "remediation", "retries"}, 5, "retries: 3", "retries: 5"},
		{"quoted", "spec:\n  patches:\n  - patch: 'spec: {a: 1} # c'\n", []any{"spec", "a"}, 2, "a: 1", "a: 2"},
		{
			"quoted lines", "spec:\n  patches:\n  - patch: \"spec: {a: 1} # c\\n\"\n",
			[]any{"spec", "a"},
			2,
			"a: 1", "a: 2",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inner, ok := mustParse(t, tc.text).Documents[0].Embedded(path...)
			if !ok {
				t.Fatal("nothing is embedded")
			}
			at := inner.Documents[0].Address(tc.inner...)
			var got []byte
			var err error
			if tc.value == nil {
				got, err = removeAt([]byte(tc.text), at)
			} else {
				got, err = SetAt([]byte(tc.text), at, tc.value, Order{})
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Replace(tc.text, tc.old, tc.new, 1); string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestEditAtDepth(t *testing.T) {
	const text = "spec:\n  patches:\n  - patch: |\n      spec:\n        patches:\n        - patch: |\n            - op: add\n              path: /x\n              value: 1\n            - op: remove\n              path: /y\n"
	outer, _ := mustParse(t, text).Documents[0].Embedded("spec", "patches", 0, "patch")
	inner, _ := outer.Documents[0].Embedded("spec", "patches", 0, "patch")
	operation := inner.Documents[0].Each()[0]
	got, err := SetAt([]byte(text), operation.Address("value"), 2, Order{})
	if want := strings.Replace(text, "value: 1", "value: 2", 1); err != nil || string(got) != want {
		t.Errorf("got %v\n%s", err, got)
	}
	got, err = removeAt([]byte(text), operation.Address())
	if want := strings.Replace(text, "            - op: add\n              path: /x\n              value: 1\n", "", 1); err != nil || string(got) != want {
		t.Errorf("got %v\n%s", err, got)
	}
}

func TestEditAtErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		text, err string
		at        Address
	}{
		"no step":     {"a: 1", "no field is named", nil},
		"no text":     {"a: {b: 1}", "no text is written there", Address{{0, []any{"a"}}, {0, []any{"b"}}}},
		"no document": {"a: 1", "no document 1", Address{{1, []any{"a"}}, {0, []any{"b"}}}},
		"anchor":      {"a: &x |\n  b: 1\nc: *x\n", "line 1: the field is written in the anchor", Address{{0, []any{"a"}}, {0, []any{"b"}}}},
		"inner":       {"a: |\n  b: &x 1\n  c: *x\n", "in the text that begins on line 1: line 1: ", Address{{0, []any{"a"}}, {0, []any{"b"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := SetAt([]byte(tc.text), tc.at, 2, Order{})
			if err == nil || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("error %v, want %q", err, tc.err)
			}
		})
	}
}

func TestAddressHolds(t *testing.T) {
	a := Address{{0, []any{"spec", "patches", 0, "patch"}}, {1, []any{"spec", "install"}}}
	for name, tc := range map[string]struct {
		field Address
		want  bool
	}{
		"itself":            {a, true},
		"below":             {Address{a[0], {1, []any{"spec", "install", "timeout"}}}, true},
		"above":             {Address{a[0], {1, []any{"spec"}}}, false},
		"beside":            {Address{a[0], {1, []any{"spec", "upgrade"}}}, false},
		"other document":    {Address{a[0], {0, []any{"spec", "install"}}}, false},
		"other text":        {Address{{0, []any{"spec", "patches", 1, "patch"}}, a[1]}, false},
		"the text it is in": {a[:1], false},
	} {
		if got := a.Holds(tc.field); got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
	if !(Address{a[0]}).Holds(a) {
		t.Error("the address of a string does not hold a field inside it")
	}
}

// TestPruneAt removes the mappings that nothing is left of, down to some steps.
func TestPruneAt(t *testing.T) {
	for _, tc := range []struct{ before, path, after string }{
		{"spec:\n  a:\n    b:\n      c: 1\n  d: 1\n", "spec/a/b/c", "spec:\n  d: 1\n"},
		{"spec:\n  a:\n    b:\n      c: 1\n    d: 1\n", "spec/a/b/c", "spec:\n  a:\n    d: 1\n"},
		{"spec: {a: {b: {c: 1}}}\n", "spec/a/b/c", "spec: {}\n"},
		{"spec:\n  a:\n    b: 1\n    c: 1\n", "spec/a/b", "spec:\n  a:\n    c: 1\n"},
		{"spec:\n  a: 1\n", "spec/b/c", "spec:\n  a: 1\n"},
		{"spec:\n  l:\n    - a: 1\n", "spec/l/0/a", "spec:\n  l:\n    - {}\n"},
	} {
		got, err := PruneAt([]byte(tc.before), Address{{Path: pathOf(tc.path)}}, 1)
		if err != nil || string(got) != tc.after {
			t.Errorf("%s: error %v, got\n%s\nwant\n%s", tc.path, err, got, tc.after)
		}
	}
}
