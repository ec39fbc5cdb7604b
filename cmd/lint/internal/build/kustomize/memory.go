package kustomize

import (
	"iter"
	"slices"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Memory is what was made of files, each with what was read for it.
type Memory[K comparable, V any] struct {
	past cores.Once[K, *past[V]]
}

// past are the results of one key. Who asks for one waits for the one that is being made.
type past[V any] struct {
	mu   sync.Mutex
	list []Result[V]
}

// maxPast is how many results of one key are kept: those of the last states of a tree that
// is being repaired.
const maxPast = 8

// Result is one result, with what was read for it.
type Result[V any] struct {
	Reads Reads
	Value V
}

// Of returns an earlier result for which the same would be read from these files, or makes
// one. What was asked for last stands first.
func (m *Memory[K, V]) Of(key K, files *tree.Tree, make func(Reads) V) Result[V] {
	all := m.past.Of(key, func() *past[V] { return &past[V]{} })
	all.mu.Lock()
	defer all.mu.Unlock()
	list := all.list
	at := slices.IndexFunc(list, func(r Result[V]) bool { return r.Reads.hold(files) })
	if at < 0 {
		read := Reads{}
		at, list = len(list), append(list, Result[V]{read, make(read)})
	}
	found := list[at]
	list = slices.Insert(slices.Delete(list, at, at+1), 0, found)
	all.list = list[:min(len(list), maxPast)]
	return found
}

// All yields the results that are kept.
func (m *Memory[K, V]) All() iter.Seq[V] {
	return func(yield func(V) bool) {
		for past := range m.past.Values() {
			for _, r := range past.list {
				if !yield(r.Value) {
					return
				}
			}
		}
	}
}
