package entries

import (
	"cmp"
	"path"
	"reflect"
	"slices"
	"strings"
)

// genericDirs are names of folders that do not identify a cluster.
var genericDirs = []string{
	"", ".", "flux-system", "flux", "cluster", "clusters", "config", "bootstrap", "base", "gitops",
	"k8s", "kube", "kubernetes", "apps", "entry", "sync", "main", "root", "setup", "gotk",
}

// specificDir returns the name of the innermost folder of a path that may identify a
// cluster; "" if all are generic.
func specificDir(dir string) string {
	for _, part := range slices.Backward(strings.Split(dir, "/")) {
		if !slices.Contains(genericDirs, part) {
			return part
		}
	}
	return ""
}

// clusterName names a cluster after its path. Of generic names main goes first: other clusters stand beside it.
func clusterName(dir string) string {
	switch parts := strings.Split(dir, "/"); {
	case dir == "" || dir == ".":
		return "cluster"
	case specificDir(dir) == "" && slices.Contains(parts, "main"):
		return "main"
	}
	return cmp.Or(specificDir(dir), path.Base(dir))
}

// entryName names a cluster after the path of its entry or, if that is generic
// and flux bootstrap wrote the file, after the folder of the file.
func entryName(where, file string) string {
	if path.Base(file) == syncFile && specificDir(where) == "" {
		return cmp.Or(specificDir(path.Dir(file)), clusterName(where))
	}
	return clusterName(where)
}

// NameApart renames clusters that have the name of another, by longer and longer parts of
// their paths until all names differ. The clusters in others keep their names.
func NameApart(clusters, others []*Cluster) {
	for _, name := range []func(*Cluster) string{
		func(c *Cluster) string { return namedAfter(c.path()) },
		(*Cluster).Folder,
		func(c *Cluster) string { return cmp.Or(specificDir(path.Dir(c.File)), c.Name) },
		func(c *Cluster) string { return path.Dir(c.File) },
		func(c *Cluster) string { return c.File },
	} {
		var ambiguous []*Cluster
		for _, c := range clusters {
			if slices.ContainsFunc(slices.Concat(clusters, others), c.confusedWith) {
				ambiguous = append(ambiguous, c)
			}
		}
		for _, c := range ambiguous {
			c.Name = name(c)
		}
	}
}

// confusedWith reports whether another cluster has the same name. Two whose names come
// from the same folder are not confused: they are parts of one cluster.
func (c *Cluster) confusedWith(o *Cluster) bool {
	return c != o && c.Name == o.Name && (c.Dir == "" || namedAfter(c.Dir) != namedAfter(o.Dir))
}

// namedAfter returns the path of the folder that names the cluster of a path.
func namedAfter(dir string) string {
	for name := specificDir(dir); name != "" && path.Base(dir) != name; {
		dir = path.Dir(dir)
	}
	return dir
}

// sameEntry reports whether two entries belong to one cluster: they have the same path
// and name. Two that flux bootstrap wrote never do, even if both apply one base; two
// FluxInstances do not if they install different controllers.
func sameEntry(a, b *Cluster) bool {
	switch {
	case a.path() != b.path() || a.Folder() != b.Folder() || a.Entries[0].FullName() != b.Entries[0].FullName():
		return false
	case path.Dir(a.File) == path.Dir(b.File):
		return true
	case a.Found == Bootstrapped && b.Found == Bootstrapped:
		return false
	}
	return a.Found != instance || b.Found != instance || reflect.DeepEqual(a.Installs.Controller, b.Installs.Controller)
}
