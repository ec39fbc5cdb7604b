package trace_test

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// Folded scalars are written so that the same is read again, and stay folded.
func TestFolded(t *testing.T) {
	for _, text := range []string{
		"a: >\n  b\n  c\n", "a: >-\n  b\n\n  c\n    d\n\n      e\n  f\n", "a: >+\n  b\n\n\n", "a: >2\n    b\n\n  c\n", "a: >\n\n\n  b\n\n  c\n",
		"- >-\n  a\n\n   b\n- >1-\n  c\n\n  \td\n", "\"ü|\": !!str >-\n  b\n\n  c\n", "a: &u >\n  b # c\n\n  d\nb: *u\n", "a: > # why\n  b\n\n  c\n",
		"? >-\n  a\n\n  b\n: >\n  c\n\n   d\n", ">-\n  a\n\n  b\n", "a: >2-\n   b\n   c\n  d\n\n  e\n",
	} {
		nodes, ok := trace.Nodes([]byte(text))
		if !ok {
			t.Fatalf("%q cannot be read", text)
		}
		before := scalars(nodes[0], true)
		data := trace.Encode(nodes)
		again, _ := trace.Nodes(data)
		if len(again) != 1 || !slices.Equal(before, scalars(again[0], true)) {
			t.Errorf("%q was written as %q", text, data)
		}
	}
}

// scalars returns the values of a document and, where it matters, which of them are folded.
func scalars(node *yaml.Node, styles bool) []string {
	out := []string{node.Value}
	if styles && node.Style&yaml.FoldedStyle != 0 {
		out = []string{"> " + node.Value}
	}
	for _, inner := range node.Content {
		out = append(out, scalars(inner, styles)...)
	}
	return out
}

// What is written has the values that were read, and text of the usual characters can be written.
func FuzzFolded(f *testing.F) {
	f.Add("b  \n\n  c", false)
	f.Add(" b\n\nc\n\n\n", true)
	f.Fuzz(func(t *testing.T, text string, listed bool) {
		text = ">2+\n   " + strings.ReplaceAll(text, "\n", "\n   ")
		if listed {
			text = "a:\n- " + text
		} else {
			text = "a: " + text
		}
		nodes, ok := trace.Nodes([]byte(text))
		if !ok || len(nodes) != 1 {
			return
		}
		before := scalars(nodes[0], false)
		data := trace.Encode(nodes)
		again, _ := trace.Nodes(data)
		usual := !strings.ContainsFunc(text, func(r rune) bool { return r > '~' || r < ' ' && r != '\n' })
		if data != nil && (len(again) != 1 || !slices.Equal(before, scalars(again[0], false))) || data == nil && usual {
			t.Errorf("%q was written as %q", text, data)
		}
	})
}
