package fleet

import (
	"fmt"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// coverage records which files of the tree were read by the builds of all clusters.
type coverage struct {
	index    *Index
	consumed map[string]bool        // paths that need no further look
	built    map[string]bool        // paths that a build has read
	broken   map[string]string      // paths that a failed build reads, with the reason
	beside   map[string]bool        // those that only folders read that nothing applies, and are not in them
	remotes  []release.Undetermined // remote resources of the builds
}

func newCoverage(x *Index) *coverage {
	return &coverage{index: x, consumed: map[string]bool{}, built: map[string]bool{}, broken: map[string]string{}, beside: map[string]bool{}}
}

func (c *coverage) clone() *coverage {
	return &coverage{c.index, maps.Clone(c.consumed), maps.Clone(c.built), maps.Clone(c.broken), maps.Clone(c.beside), slices.Clone(c.remotes)}
}

// reach records the files that a build has read.
func (c *coverage) reach(s *build.Source, walk *build.Walk) {
	for _, name := range walk.Files {
		if own, ok := c.index.path(s, name); ok {
			c.consumed[own], c.built[own] = true, true
		}
	}
	for _, name := range walk.Parts {
		if own, ok := c.index.path(s, name); ok {
			c.consumed[own] = true
		}
	}
}

// fail records the files of a failed build, and those of the Kustomizations that it
// would have applied: their releases are undetermined. Of files that are not
// inner ones it says nothing: only a folder reads them that nothing applies.
func (c *coverage) fail(s *build.Source, walk *build.Walk, reason string, inner func(name string) bool) {
	for _, name := range walk.Files {
		own, ok := c.index.path(s, name)
		if !ok || c.broken[own] != "" && (!c.beside[own] || !inner(own)) {
			continue
		}
		c.broken[own], c.beside[own] = reason, !inner(own)
		file := c.index.Parse(own)
		if file == nil {
			continue
		}
		object.Each(file, func(_ *yamledit.Document, obj map[string]any) {
			if dir := pathOf(obj); object.IsKustomization(obj) && dir != "" && s.IsDir(dir) {
				c.fail(s, s.Walk(dir, obj), reason, inner)
			}
		})
	}
}

// fetch records the remote resources of a build for a cluster, each once.
func (c *coverage) fetch(walk *build.Walk, cluster string) {
	for _, remote := range walk.Remotes {
		u := release.Undetermined{
			File: remote.File, Line: remote.Line, Cluster: cluster,
			Reason: fmt.Sprintf("%s is not in the tree: what it holds is not known", remote.Entry),
		}
		if !slices.Contains(c.remotes, u) {
			c.remotes = append(c.remotes, u)
		}
	}
}

// settled reports whether a build has read a file, or failed and would have read it.
func (c *coverage) settled(name string) bool { return c.built[name] || c.broken[name] != "" }
