package fleet

import (
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
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

	entries []*Kustomization
	files   []string // the files of the entries, by path
	leads   []string // the folders that the entries are known to build
	found   entryKind
	// own is the source that is the tree itself.
	own reference
	// others are the folders that the entries of other clusters apply.
	others []string
	// leftover is true if nothing applies its entries although the tree has entries of
	// other clusters: it is a remainder, or a part of a cluster whose entry is elsewhere.
	leftover bool
	// assumed is true if the path of its entry is that of the entry's file.
	assumed bool
	// installs is what the entry installs; nil if it does not say.
	installs *controllers.Installation
	// sync is what a FluxInstance says of its source; nil without one.
	sync any
	// root is the folder that paths are relative to.
	root root
}

// entryKind is the kind of a cluster's entry.
type entryKind int

const (
	unknownApplier entryKind = iota // a Flux Kustomization that nothing in the tree applies
	bootstrapped                    // the file that flux bootstrap writes
	instance                        // a FluxInstance
	values                          // values from which a chart makes a FluxInstance
	unapplied                       // a folder that nothing in the tree applies
)

// root is the folder of the tree that paths of Kustomizations are relative to.
type root struct {
	dir   string
	known bool
}

// Unapplied reports whether a part of it is a folder that nothing in the tree applies, so
// that the variables in it are not known.
func (c *Cluster) Unapplied() bool {
	return slices.ContainsFunc(c.entries, func(k *Kustomization) bool { return k.Folder })
}

// Leftover reports whether nothing applies its entries although the tree has entries of
// other clusters.
func (c *Cluster) Leftover() bool { return c.leftover }

// Named reports whether its name and folder are those of a cluster: flux bootstrap or a
// FluxInstance describes it, or it is one of a folder of clusters. Otherwise they are those
// of whatever nothing applies.
func (c *Cluster) Named(dir string) bool {
	return c.found != unknownApplier && c.found != unapplied || path.Base(path.Dir(dir)) == "clusters"
}

// path returns spec.path of the entry, or the folder if the entry is one.
func (c *Cluster) path() string {
	if c.Dir != "" {
		return c.Dir
	}
	return object.Path(c.entries[0].Object)
}

// folder returns the folder of the tree that the entry applies: its path, in
// the part of the tree that its file is in.
func (c *Cluster) folder() string {
	where := c.path()
	before, _, ok := strings.Cut("/"+path.Dir(c.File)+"/", "/"+where+"/")
	if !ok {
		return where
	}
	return path.Join(strings.TrimPrefix(before, "/"), where)
}

// foreign reports whether a file is in the folder of another cluster.
func (c *Cluster) foreign(name string) bool {
	return slices.ContainsFunc(c.others, func(dir string) bool { return tree.Within(dir, name) && !tree.Within(dir, c.folder()) })
}
