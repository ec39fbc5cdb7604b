package build

import (
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// buildKey is the key of a build: two builds of one key are equal if all that they read
// is equal.
type buildKey struct {
	dir                  string
	spec                 [sha256.Size]byte
	remotes, substitutes bool
}

// results are what was made of files, each with what was read for it.
type results[K comparable, V any] struct {
	past cores.Once[K, *pastResults[V]]
}

// pastResults are those of one key. Who asks for one waits for the one that is being made.
type pastResults[V any] struct {
	mu   sync.Mutex
	list []pastResult[V]
}

// maxPast is how many results of one key are kept: those of the last states of a tree that
// is being repaired.
const maxPast = 8

type pastResult[V any] struct {
	reads  reads
	result V
}

// of returns an earlier result for which the same would be read from these files, or makes
// one. What was asked for last stands first.
func (r *results[K, V]) of(key K, files *tree.Tree, make func(reads) V) pastResult[V] {
	all := r.past.Of(key, func() *pastResults[V] { return &pastResults[V]{} })
	all.mu.Lock()
	defer all.mu.Unlock()
	past := all.list
	at := slices.IndexFunc(past, func(p pastResult[V]) bool { return p.reads.hold(files) })
	if at < 0 {
		read := reads{}
		at, past = len(past), append(past, pastResult[V]{read, make(read)})
	}
	found := past[at]
	past = slices.Insert(slices.Delete(past, at, at+1), 0, found)
	all.list = past[:min(len(past), maxPast)]
	return found
}
