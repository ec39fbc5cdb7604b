package manifests

import (
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Coverage records which files of the tree were read by the builds of all clusters.
type Coverage struct {
	index    *Index
	Consumed map[string]bool        // paths that need no further look
	Built    map[string]bool        // paths that a build has read
	Broken   map[string]string      // paths that a failed build reads, with the reason
	Beside   map[string]bool        // those that only folders read that nothing applies, and are not in them
	Vague    map[string]bool        // those of which it is only known that a build may read them
	Remotes  []release.Undetermined // remote resources of the builds

	done []func(*Coverage) // what was recorded in a fork, to record it again
	open map[string]bool   // what a fork was asked for and had not settled; nil if it is none
}

// NewCoverage returns the coverage of a tree of which nothing is built yet.
func NewCoverage(x *Index) *Coverage {
	return &Coverage{index: x, Consumed: map[string]bool{}, Built: map[string]bool{}, Broken: map[string]string{}, Beside: map[string]bool{}, Vague: map[string]bool{}}
}

// Clone returns a copy, which records for itself.
func (c *Coverage) Clone() *Coverage {
	return &Coverage{c.index, maps.Clone(c.Consumed), maps.Clone(c.Built), maps.Clone(c.Broken), maps.Clone(c.Beside), maps.Clone(c.Vague), slices.Clone(c.Remotes), slices.Clip(c.done), c.open}
}

// Fork returns a coverage that begins as this one, to walk a cluster with beside others.
func (c *Coverage) Fork() *Coverage {
	out := c.Clone()
	out.open = map[string]bool{}
	return out
}

// Join records what a fork has recorded, and reports true, unless what was recorded since would have been another
// answer to what the fork was asked.
func (c *Coverage) Join(fork *Coverage) bool {
	for name := range fork.open {
		if c.Settled(name) {
			return false
		}
	}
	for _, record := range fork.done {
		record(c)
	}
	return true
}

// again notes how to record the same in another coverage.
func (c *Coverage) again(record func(*Coverage)) {
	if c.open != nil {
		c.done = append(c.done, record)
	}
}

// Reach records the files that a build has read.
func (c *Coverage) Reach(s *build.Source, walk *build.Walk) {
	c.again(func(other *Coverage) { other.Reach(s, walk) })
	for _, name := range walk.Files {
		if own, ok := c.index.Path(s, name); ok {
			c.Consumed[own], c.Built[own] = true, true
		}
	}
	for _, name := range walk.Parts {
		if own, ok := c.index.Path(s, name); ok {
			c.Consumed[own] = true
		}
	}
}

// Fail records the files of a failed build, and those of the Kustomizations that it
// would have applied: their releases are undetermined. Of files that are not
// inner ones it says nothing: only a folder reads them that nothing applies. It is vague if the build
// may be of these files.
func (c *Coverage) Fail(s *build.Source, walk *build.Walk, reason string, vague bool, inner func(name string) bool) {
	c.again(func(other *Coverage) { other.failAll(s, walk, reason, vague, inner, map[string]bool{}) })
	c.failAll(s, walk, reason, vague, inner, map[string]bool{})
}

// failAll records what a failed build may hold. Mentioned are the files of whose text it has asked what they name.
func (c *Coverage) failAll(s *build.Source, walk *build.Walk, reason string, vague bool, inner func(name string) bool, mentioned map[string]bool) {
	for _, name := range walk.Files {
		own, ok := c.index.Path(s, name)
		weak := c.Beside[own] || c.Vague[own] && !vague
		if !ok || c.Broken[own] != "" && (!weak || !inner(own)) {
			continue
		}
		c.Broken[own], c.Beside[own], c.Vague[own] = reason, !inner(own), vague
		file := c.index.Parse(own)
		if file == nil {
			continue
		}
		object.Each(file, func(_ *yamledit.Document, obj map[string]any) {
			if dir := object.Path(obj); object.IsKustomization(obj) && dir != "" && s.IsDir(dir) {
				c.failAll(s, s.Walk(dir, obj), reason, vague, inner, mentioned)
			}
		})
		if slices.ContainsFunc(file.Documents, func(doc *yamledit.Document) bool { return doc.Err != nil }) {
			c.failMentioned(s, name, reason, inner, mentioned)
		}
	}
	for _, name := range walk.Unread {
		c.failMentioned(s, name, reason, inner, mentioned)
	}
}

// Fetch records what a build of a source reads for a cluster and is not in the tree, each once.
func (c *Coverage) Fetch(s *build.Source, walk *build.Walk, cluster string) {
	c.again(func(other *Coverage) { other.Fetch(s, walk, cluster) })
	add := func(file string, line int, reason string) {
		u := release.Undetermined{File: file, Line: line, Cluster: cluster, Reason: reason + ": what it holds is not known"}
		if !slices.Contains(c.Remotes, u) {
			c.Remotes = append(c.Remotes, u)
		}
	}
	for _, remote := range walk.Remotes {
		add(remote.File, remote.Line, object.Address(remote.Entry)+" is not in the tree")
	}
	for _, name := range walk.LeftOut {
		add(s.Files().Name(name), 1, "Flux reads it, and spec.ignore of the configuration leaves it out")
	}
}

// Doubt records that files may be in a build, unless one is known to fail that would have read them.
func (c *Coverage) Doubt(names []string, reason string) {
	c.again(func(other *Coverage) { other.Doubt(names, reason) })
	for _, name := range names {
		if c.Broken[name] == "" {
			c.Broken[name], c.Vague[name] = reason, true
		}
	}
}

// Settled reports whether a build has read a file, or failed and would have read it.
func (c *Coverage) Settled(name string) bool {
	is := c.Built[name] || c.Broken[name] != ""
	if !is && c.open != nil {
		c.open[name] = true
	}
	return is
}
