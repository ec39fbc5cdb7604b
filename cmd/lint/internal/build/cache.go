package build

import (
	"crypto/sha256"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// buildKey names builds that are the same if they read the same.
type buildKey struct {
	dir             string
	spec            [sha256.Size]byte
	remotes, schema bool
}

// results are the builds that were done, with what each has read.
type results map[buildKey][]pastBuild

type pastBuild struct {
	reads  reads
	result *Result
}

// of returns the result of a build that has read the same from its files, or
// builds.
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
