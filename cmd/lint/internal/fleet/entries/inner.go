package entries

import (
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// SwitchedOff reports whether the entry of a cluster, which nothing has reached, lies in a closed folder
// or below one. One that builds the folder that it lies in is an entry all the same.
func (c *Cluster) SwitchedOff(closed map[string]bool) bool {
	itself := func(k *Kustomization) bool { return !k.Folder && tree.Within(object.Path(k.Object), path.Dir(c.File)) }
	if slices.ContainsFunc(c.Entries, itself) {
		return false
	}
	for dir := path.Dir(c.File); dir != "."; dir = path.Dir(dir) {
		if closed[dir] {
			return true
		}
	}
	return false
}

// withoutApplied leaves out what a file of the name that flux bootstrap uses lists in the folder that another
// entry syncs: Flux applies it from there. What builds the folder of its own file is an entry.
func withoutApplied(clusters []*Cluster) []*Cluster {
	return slices.DeleteFunc(slices.Clone(clusters), func(c *Cluster) bool {
		dir := path.Dir(c.File)
		return c.Found == Bootstrapped && !tree.Within(c.Folder(), dir) && slices.ContainsFunc(clusters, func(o *Cluster) bool {
			return tree.Within(o.Folder(), dir)
		})
	})
}

// outermost returns the entries that are not below the path of another one. Of
// two that are below each other it returns the first.
func outermost(all []*Cluster) []*Cluster {
	var out []*Cluster
	for i, c := range all {
		covered := false
		for j, o := range all {
			covered = covered || o != c && o.covers(c) && (j < i || !c.covers(o))
		}
		if !covered {
			out = append(out, c)
		}
	}
	return out
}

// covers reports whether the entry of another cluster is in a folder that this one
// builds, itself or by a Kustomization that it lists.
func (c *Cluster) covers(o *Cluster) bool {
	dir := path.Dir(o.File)
	return slices.ContainsFunc(c.leads, func(built string) bool {
		return built != "" && (dir == built || strings.HasPrefix(dir, built+"/") ||
			strings.HasSuffix(dir, "/"+built) || strings.Contains(dir, "/"+built+"/"))
	})
}
