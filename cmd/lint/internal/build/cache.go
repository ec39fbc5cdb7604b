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

// results are the finished builds, each with what it read.
type results struct {
	past cores.Once[buildKey, *pastBuilds]
}

// pastBuilds are those of one key. Who asks for one waits for the one that is being done.
type pastBuilds struct {
	mu   sync.Mutex
	list []pastBuild
}

// maxPast is how many builds of one key are kept: those of the last states of a tree that
// is being repaired.
const maxPast = 8

type pastBuild struct {
	reads  reads
	result *Result
}

// of returns the result of an earlier build that would read the same from these files,
// or builds. What was asked for last stands first.
func (r *results) of(key buildKey, files *tree.Tree, build func(reads) *Result) *Result {
	all := r.past.Of(key, func() *pastBuilds { return &pastBuilds{} })
	all.mu.Lock()
	defer all.mu.Unlock()
	past := all.list
	at := slices.IndexFunc(past, func(p pastBuild) bool { return p.reads.hold(files) })
	if at < 0 {
		read := reads{}
		at, past = len(past), append(past, pastBuild{read, build(read)})
	}
	found := past[at]
	past = slices.Insert(slices.Delete(past, at, at+1), 0, found)
	all.list = past[:min(len(past), maxPast)]
	return found.result
}
