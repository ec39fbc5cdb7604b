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

	done []func(*coverage) // what was recorded in a fork, to record it again
	open map[string]bool   // what a fork was asked for and had not settled; nil if it is none
}

func newCoverage(x *Index) *coverage {
	return &coverage{index: x, consumed: map[string]bool{}, built: map[string]bool{}, broken: map[string]string{}, beside: map[string]bool{}}
}

func (c *coverage) clone() *coverage {
	return &coverage{c.index, maps.Clone(c.consumed), maps.Clone(c.built), maps.Clone(c.broken), maps.Clone(c.beside), slices.Clone(c.remotes), slices.Clip(c.done), c.open}
}

// fork returns a coverage that begins as this one, to walk a cluster with beside others.
func (c *coverage) fork() *coverage {
	out := c.clone()
	out.open = map[string]bool{}
	return out
}

// join records what a fork has recorded, and reports true, unless what was recorded since would have been another
// answer to what the fork was asked.
func (c *coverage) join(fork *coverage) bool {
	for name := range fork.open {
		if c.settled(name) {
			return false
		}
	}
	for _, record := range fork.done {
		record(c)
	}
	return true
}

// again notes how to record the same in another coverage.
func (c *coverage) again(record func(*coverage)) {
	if c.open != nil {
		c.done = append(c.done, record)
	}
}

// reach records the files that a build has read.
func (c *coverage) reach(s *build.Source, walk *build.Walk) {
	c.again(func(other *coverage) { other.reach(s, walk) })
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
	c.again(func(other *coverage) { other.failAll(s, walk, reason, inner) })
	c.failAll(s, walk, reason, inner)
}

func (c *coverage) failAll(s *build.Source, walk *build.Walk, reason string, inner func(name string) bool) {
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
				c.failAll(s, s.Walk(dir, obj), reason, inner)
			}
		})
	}
}

// fetch records the remote resources of a build for a cluster, each once.
func (c *coverage) fetch(walk *build.Walk, cluster string) {
	c.again(func(other *coverage) { other.fetch(walk, cluster) })
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

// doubt records that files may be in a build, unless one is known to fail that would have read them.
func (c *coverage) doubt(names []string, reason string) {
	c.again(func(other *coverage) { other.doubt(names, reason) })
	for _, name := range names {
		if c.broken[name] == "" {
			c.broken[name] = reason
		}
	}
}

// settled reports whether a build has read a file, or failed and would have read it.
func (c *coverage) settled(name string) bool {
	is := c.built[name] || c.broken[name] != ""
	if !is && c.open != nil {
		c.open[name] = true
	}
	return is
}
