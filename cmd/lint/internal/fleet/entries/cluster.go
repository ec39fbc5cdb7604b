package entries

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Cluster is what is known about a cluster from its entry, before anything is built.
type Cluster struct {
	Name string
	// File is the path of the file that holds the entry: the first one if there are
	// several.
	File string
	// Dir is the folder that the entry applies; "" if it is not known yet.
	Dir string

	Entries []*Kustomization
	Files   []string // the files of the entries, by path
	leads   []string // the folders that the entries are known to build
	Found   entryKind
	// Own is the source that is the tree itself.
	Own sources.Reference
	// others are the folders that the entries of other clusters apply.
	others []string
	// LeftOver is true if nothing applies its entries although the tree has entries of
	// other clusters: it is a remainder, or a part of a cluster whose entry is elsewhere.
	LeftOver bool
	// assumed is true if the path of its entry is that of the entry's file.
	assumed bool
	// Installs is what the entry installs; nil if it does not say.
	Installs *controllers.Installation
	// Source is what patches of a FluxInstance set of its source; nil if they set nothing.
	Source map[string]any
	// sync is what a FluxInstance says of its source; nil without one.
	sync any
	// Base is the folder that paths are relative to.
	Base Root
}

// entryKind is the kind of a cluster's entry.
type entryKind int

const (
	UnknownApplier entryKind = iota // a Flux Kustomization that nothing in the tree applies
	Bootstrapped                    // the file that flux bootstrap writes
	instance                        // a FluxInstance
	values                          // values from which a chart makes a FluxInstance
	Unapplied                       // a folder that nothing in the tree applies
)

// Root is the folder of the tree that paths of Kustomizations are relative to.
type Root struct {
	Dir   string
	Known bool
}

// Unapplied reports whether a part of it is a folder that nothing in the tree applies, so
// that the variables in it are not known.
func (c *Cluster) Unapplied() bool {
	return slices.ContainsFunc(c.Entries, func(k *Kustomization) bool { return k.Folder })
}

// Named reports whether its name and folder are those of a cluster: flux bootstrap or a
// FluxInstance describes it, or it is one of a folder of clusters. Otherwise they are those
// of whatever nothing applies.
func (c *Cluster) Named(dir string) bool {
	return c.Found != UnknownApplier && c.Found != Unapplied || path.Base(path.Dir(dir)) == "clusters"
}

// path returns spec.path of the entry, or the folder if the entry is one.
func (c *Cluster) path() string {
	if c.Dir != "" {
		return c.Dir
	}
	return object.Path(c.Entries[0].Object)
}

// Folder returns the folder of the tree that the entry applies: its path, in
// the part of the tree that its file is in.
func (c *Cluster) Folder() string {
	where := c.path()
	before, _, ok := strings.Cut("/"+path.Dir(c.File)+"/", "/"+where+"/")
	if !ok {
		return where
	}
	return path.Join(strings.TrimPrefix(before, "/"), where)
}

// Foreign reports whether a file is in the folder of another cluster.
func (c *Cluster) Foreign(name string) bool {
	return slices.ContainsFunc(c.others, func(dir string) bool { return tree.Within(dir, name) && !tree.Within(dir, c.Folder()) })
}

// RootOf returns the folder that spec.path is relative to: the outermost one, from the root
// of the tree down to the entry, in which that path is a folder; unknown if none is.
func RootOf(source *build.Source, entry, dir string) Root {
	prefix := ""
	for _, part := range append([]string{""}, strings.Split(path.Dir(entry), "/")...) {
		prefix = path.Join(prefix, part)
		if dir != "" && source.IsDir(path.Join(prefix, dir)) {
			return Root{prefix, true}
		}
	}
	return Root{}
}

// Described reports whether the tree has the entry of the cluster.
func (c *Cluster) Described() bool {
	return c.Found == Bootstrapped || c.Found == instance || c.Found == values
}

// Synced returns what a FluxInstance syncs, without how often, what is empty and what is a default.
func (c *Cluster) Synced() map[string]any {
	sync, _ := c.sync.(map[string]any)
	sync = maps.Clone(sync)
	maps.DeleteFunc(sync, func(field string, value any) bool {
		return field == "interval" || value == nil || value == controllers.SyncDefaults[field]
	})
	return sync
}
