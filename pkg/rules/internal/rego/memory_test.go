package rego

import (
	"strings"
	"testing"
)

type text string

func (t text) Size() int { return len(t) }

// What is remembered does not grow without end.
func TestMemoryForgets(t *testing.T) {
	m := &Memory[text]{size: maxMemory, known: map[Key]text{{1}: ""}}
	m.Remember(Key{2}, "retry")
	if _, ok := m.Recall(Key{1}); ok || m.size > maxMemory {
		t.Errorf("%d bytes are remembered", m.size)
	}
	m = &Memory[text]{}
	m.Remember(Key{3}, text(strings.Repeat("x", maxMemoryOne+1)))
	if _, ok := m.Recall(Key{3}); ok {
		t.Error("a large answer is remembered")
	}
}
