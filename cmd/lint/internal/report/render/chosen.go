package render

import (
	"path"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
)

// Chosen returns the releases whose name, or namespace and name, a glob matches; all if it is
// empty.
func Chosen(all []*effective.Release, glob string) []*effective.Release {
	var out []*effective.Release
	for _, release := range all {
		byName, _ := path.Match(glob, release.Name)
		byBoth, _ := path.Match(glob, release.Namespace+"/"+release.Name)
		if glob == "" || byName || byBoth {
			out = append(out, release)
		}
	}
	return out
}

// Missing notes what is missing from the output: what cannot be read and, of all releases,
// what is undetermined.
func Missing(note func(format string, args ...any), tree *effective.Tree, whole bool) {
	for _, u := range tree.Undetermined {
		if whole {
			note("undetermined: %s:%d: %s", u.File, u.Line, strings.TrimSpace(u.Release+" "+u.Reason))
		}
	}
	for _, p := range tree.Problems {
		note("%s:%d:%d: %v", p.File, p.Line, p.Column, p.Err)
	}
}
