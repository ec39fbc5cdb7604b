package entries

import (
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// AppliesItself reports whether an entry of a cluster builds, from the source that the tree is, the file that it is
// written in: somebody applied it once by hand, and Flux has ever since.
func AppliesItself(x *manifests.Index, c *Cluster) bool {
	source := x.Packed("")
	return slices.ContainsFunc(c.Entries, func(k *Kustomization) bool {
		built := object.Path(k.Object)
		if k.Folder || built == "" || sources.Ref(k.Object) != c.Own {
			return false
		}
		at := RootOf(source, c.File, built)
		return at.Known && slices.Contains(source.Walk(path.Join(at.Dir, built), k.Object).Files, c.File)
	})
}

// SwitchedOff reports whether the entry of a cluster, which nothing has reached, lies in a closed folder
// or below one. One that applies itself is an entry all the same.
func SwitchedOff(x *manifests.Index, c *Cluster, closed map[string]bool) bool {
	for dir := path.Dir(c.File); dir != "."; dir = path.Dir(dir) {
		if closed[dir] {
			return !AppliesItself(x, c)
		}
	}
	return false
}

// withoutApplied leaves out what a file of the name that flux bootstrap uses lists in the folder that another
// entry syncs: Flux applies it from there. What applies itself is an entry.
func withoutApplied(x *manifests.Index, clusters []*Cluster) []*Cluster {
	return slices.DeleteFunc(slices.Clone(clusters), func(c *Cluster) bool {
		synced := func(o *Cluster) bool { return o != c && tree.Within(o.Folder(), path.Dir(c.File)) }
		return c.Found == Bootstrapped && slices.ContainsFunc(clusters, synced) && !AppliesItself(x, c)
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
