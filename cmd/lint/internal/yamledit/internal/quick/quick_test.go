package quick

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestRead: what is read is what the parser reads, or the reader says that it is not certain.
func TestRead(t *testing.T) {
	for text, certain := range map[string]bool{
		"a: 1\nb: yes\nc: 0.5\nd: 5m\n":                    true,
		"---\na:\n  b: x # why\n\n  c:\n  - d\n  - e: f\n": true,
		"a: |\n  one\n\n    two\nb: |-\n  three\n":         true,
		"a: {}\nb: []\nc: ''\nd: \"e\"\n":                  true,
		"a:\nb: null\n":                                    true,
		"a: 1\na: 2\n":                                     false, // twice
		"a: b: c\n":                                        false,
		"a: &b c\n":                                        false,
		"a: [b]\n":                                         false,
		"a: one\n  two\n":                                  false,
		"a: >\n  folded\n":                                 false,
		"a: \"b\\n\"\n":                                    false,
		"a:\n  b: c\n d: e\n":                              false,
		"1: a\n":                                           false,
		"a: é\n":                                           false,
		"a: 1":                                             false, // no end of the line
		strings.Repeat("-", 2000) + "\n":                   false,
	} {
		got, ok := Read([]byte(text), false)
		if ok != certain {
			t.Errorf("%q: certain %t, want %t", text, ok, certain)
		}
		var want yaml.Node
		if !ok {
			continue
		}
		if err := yaml.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(text, err)
		}
		if got, want := described(got), described(want.Content[0]); got != want {
			t.Errorf("%q: got\n%s\nthe parser reads\n%s", text, got, want)
		}
	}
}

// TestLean: without values the rest of a text is the same, and wrong values are still seen.
func TestLean(t *testing.T) {
	const values = "  values:\n    a: 1\n    b:\n    - c\n"
	text := "spec:\n" + values + "  interval: 5m\nkind: x\n"
	got, ok := Read([]byte(text), true)
	if !ok || strings.Contains(described(got), `"c"`) || !strings.Contains(described(got), `"5m" 6:13`) {
		t.Errorf("certain %t, want all but what is in the values:\n%s", ok, described(got))
	}
	if _, ok := Read([]byte(strings.Replace(text, "    b:\n", "    a: 2\n    b:\n", 1)), true); ok {
		t.Error("a key that stands twice in the values is not seen")
	}
}

func described(n *yaml.Node) string {
	out := fmt.Sprintf("%d %s %d %q %d:%d\n", n.Kind, n.Tag, n.Style, n.Value, n.Line, n.Column)
	for _, inner := range n.Content {
		out += described(inner)
	}
	return out
}
