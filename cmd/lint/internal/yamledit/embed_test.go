package yamledit

import (
	"strings"
	"testing"
)

func TestEmbedded(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		exact      bool
	}{
		{"literal", "a:\n  p: |\n    kind: x\n    spec:\n      # c\n      «1»b: 1\n    ---\n    «2»c: 1\n", true},
		{"stripped", "a:\n  p: |-  # c\n    spec: {«1»b: 1}\n    --- {«2»c: 1}", true},
		{"kept", "a:\n  p: |+\n\n    spec:\n      «1»b: 1\n\n    ---\n    «2»c: 1\n\n", true},
		{"indicator", "a:\n    p: |2\n        spec:\n          «1»b: 1\n      ---\n      «2»c: 1\n", true},
		{"windows", "a:\r\n  p: |\r\n    spec:\r\n      «1»b: 1\r\n    ---\r\n    «2»c: 1\r\n", true},
		{"wide characters", "a:\n  p: |\n    spec: {ä: ö, «1»b: 1}\n    ---\n    {ü: 1, «2»c: 1}\n", true},
		{"anchored", "a:\n  p: &p |\n    spec:\n      «1»b: 1\n    ---\n    «2»c: 1\nq: *p\n", true},
		{"json", "a:\n  p: |\n    {\"spec\": {«1»\"b\": 1}}\n    ---\n    {«2»\"c\": 1}\n", true},
		{"double quoted", "a:\n  p: «1»«2»\"spec:\\n  b: 1\\n---\\nc: 1\\n\"\n", false},
		{"single quoted", "a:\n  p: «1»«2»'spec: {b: 1}\n\n    ---\n\n    c: 1'\n", false},
		{"folded", "a:\n  p: «1»«2»>\n    spec: {b: 1}\n\n    ---\n\n    c: 1\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text, want := marks(tc.text)
			f, ok := mustParse(t, text).Documents[0].Embedded("a", "p")
			if !ok || len(f.Documents) != 2 || f.Documents[0].Err != nil || f.Documents[1].Err != nil {
				t.Fatalf("embedded file %+v, %v", f, ok)
			}
			for i, path := range [][]any{{"spec", "b"}, {"c"}} {
				pos, exact := f.Documents[i].Find(path...)
				if pos != want[i+1] || exact != tc.exact {
					t.Errorf("%v at %v %v, want %v %v", path, pos, exact, want[i+1], tc.exact)
				}
			}
			if object, err := f.Documents[0].Object(); err != nil || object["spec"] == nil {
				t.Errorf("object %v, %v", object, err)
			}
		})
	}
}

func TestEmbeddedTwice(t *testing.T) {
	text, want := marks("- p: |\n    spec:\n      patches:\n      - patch: |\n          - op: add\n            «1»path: /x\n")
	outer, _ := mustParse(t, text).Documents[0].Embedded(0, "p")
	inner, ok := outer.Documents[0].Embedded("spec", "patches", 0, "patch")
	if !ok || inner.Name != "f.yaml" {
		t.Fatal("no embedded file in the embedded file")
	}
	operations := inner.Documents[0].Each()
	if len(operations) != 1 {
		t.Fatalf("%d operations, want 1", len(operations))
	}
	if pos, exact := operations[0].Find("path"); !exact || pos != want[1] {
		t.Errorf("path at %v %v, want %v", pos, exact, want[1])
	}
}

func TestEmbeddedErrors(t *testing.T) {
	d := mustParse(t, "p: |\n  a: 1\n  a: 2\nn: 1\nm: {}\n").Documents[0]
	f, ok := d.Embedded("p")
	if !ok || f.Documents[0].Err == nil || f.Documents[0].Err.Error() != `line 3, column 3: key "a" is already defined in this mapping` {
		t.Errorf("error %v", f.Documents[0].Err)
	}
	for _, key := range []string{"n", "m", "none"} {
		if _, ok := d.Embedded(key); ok {
			t.Errorf("embedded a file at %s, which is not a string", key)
		}
	}
}

// TestSetEmbedded edits a patch inside a Kustomization in two steps: first its
// text, then the string that holds it.
func TestSetEmbedded(t *testing.T) {
	before := "spec:\n  patches:\n    - patch: |\n        # all of them\n        spec:\n          timeout: 5m # c\n      target: {kind: HelmRelease}\n"
	f, _ := mustParse(t, before).Documents[0].Embedded("spec", "patches", 0, "patch")
	inner, err := SetAt(f.Data(), Address{{0, []any{"spec", "timeout"}}}, "10m", Order{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := SetAt([]byte(before), Address{{0, []any{"spec", "patches", 0, "patch"}}}, string(inner), Order{})
	if want := strings.Replace(before, "5m", "10m", 1); err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}
