package build

import (
	"crypto/sha256"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// buildKey is the key of a build: two builds of one key are equal if all that they read
// is equal.
type buildKey struct {
	dir                          string
	spec                         [sha256.Size]byte
	remotes, schema, substitutes bool
}

// results are the finished builds, each with what it read.
type results map[buildKey][]pastBuild

type pastBuild struct {
	reads  reads
	result *Result
}

// of returns the result of an earlier build that would read the same from these files,
// or builds.
func (r results) of(key buildKey, files *tree.Tree, build func(reads) *Result) *Result {
	for _, past := range r[key] {
		if past.reads.hold(files) {
			return past.result
		}
	}
	read := reads{}
	result := build(read)
	r[key] = append(r[key], pastBuild{read, result})
	return result
}
