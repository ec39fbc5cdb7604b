package fleet

import (
	"cmp"
	"path"
	"reflect"
	"slices"
	"strings"
)

// genericDirs are names of folders that do not say which cluster it is.
var genericDirs = []string{
	"", ".", "flux-system", "flux", "cluster", "clusters", "config", "bootstrap", "base", "gitops",
	"k8s", "kube", "kubernetes", "apps", "entry", "sync", "main", "root", "setup",
}

// specificDir returns the innermost folder of a path whose name tells a cluster
// from others; "" if none does.
func specificDir(dir string) string {
	for _, part := range slices.Backward(strings.Split(dir, "/")) {
		if !slices.Contains(genericDirs, part) {
			return part
		}
	}
	return ""
}

// clusterName names a cluster after its path.
func clusterName(dir string) string {
	if dir == "" || dir == "." {
		return "cluster"
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

// nameApart gives clusters of the same name other ones, from the first source
// of names that tells them apart. Others keep their names.
func nameApart(clusters, others []*Cluster) {
	for _, name := range []func(*Cluster) string{
		func(c *Cluster) string { return namedAfter(c.path()) },
		(*Cluster).folder,
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

// confusedWith reports whether another cluster has the same name. Without
// entries that say so, what is named after the same folder is one cluster.
func (c *Cluster) confusedWith(o *Cluster) bool {
	return c != o && c.Name == o.Name && (c.Dir == "" || namedAfter(c.Dir) != namedAfter(o.Dir))
}

// namedAfter returns the folder that a path has its name from.
func namedAfter(dir string) string {
	for name := specificDir(dir); name != "" && path.Base(dir) != name; {
		dir = path.Dir(dir)
	}
	return dir
}

// sameEntry reports whether two entries are those of one cluster: the same path,
// under the same name. Two that flux bootstrap wrote never are, even if both
// apply one base; two FluxInstances are not if they make Flux different.
func sameEntry(a, b *Cluster) bool {
	switch {
	case a.path() != b.path() || a.folder() != b.folder() || a.entries[0].FullName() != b.entries[0].FullName():
		return false
	case path.Dir(a.File) == path.Dir(b.File):
		return true
	case a.found == bootstrapped && b.found == bootstrapped:
		return false
	}
	return a.found != instance || b.found != instance || reflect.DeepEqual(a.controller, b.controller)
}
