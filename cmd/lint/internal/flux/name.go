package flux

import (
	"cmp"
	"path"
	"reflect"
	"slices"
	"strings"
)

// genericDirs are names of folders that do not tell which cluster it is.
var genericDirs = []string{
	"", ".", "flux-system", "flux", "cluster", "clusters", "config", "bootstrap", "base", "gitops",
	"k8s", "kube", "kubernetes", "apps", "entry", "sync", "main", "root", "setup",
}

// telling gives the innermost folder of a path that tells a cluster from others;
// "" if none does.
func telling(dir string) string {
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
	return cmp.Or(telling(dir), path.Base(dir))
}

// entryName names a cluster after the path of its entry or, if that tells
// nothing and flux bootstrap wrote the file, after the folder of the file.
func entryName(where, file string) string {
	if path.Base(file) == "gotk-sync.yaml" && telling(where) == "" {
		return cmp.Or(telling(path.Dir(file)), clusterName(where))
	}
	return clusterName(where)
}

// path gives the path of the entry, or of the folder that is taken for it.
func (c *cluster) path() string {
	if c.dir != "" {
		return c.dir
	}
	where, _ := nested(c.entries[0].object, "spec", "path").(string)
	return clean(where)
}

// unique tells clusters of the same name apart, from others too, which keep their
// names: first by their paths.
func unique(clusters, others []*cluster) {
	for _, name := range []func(*cluster) string{
		func(c *cluster) string { return namedAfter(c.path()) },
		(*cluster).folder,
		func(c *cluster) string { return cmp.Or(telling(path.Dir(c.file)), c.name) },
		func(c *cluster) string { return path.Dir(c.file) },
		func(c *cluster) string { return c.file },
	} {
		var ambiguous []*cluster
		for _, c := range clusters {
			if slices.ContainsFunc(slices.Concat(clusters, others), c.confusedWith) {
				ambiguous = append(ambiguous, c)
			}
		}
		for _, c := range ambiguous {
			c.name = name(c)
		}
	}
}

// confusedWith tells whether another cluster has the same name. Without entries
// that say so, what is named after the same folder is one cluster.
func (c *cluster) confusedWith(o *cluster) bool {
	return c != o && c.name == o.name && (c.dir == "" || namedAfter(c.dir) != namedAfter(o.dir))
}

// namedAfter gives the folder that a path has its name from.
func namedAfter(dir string) string {
	for name := telling(dir); name != "" && path.Base(dir) != name; {
		dir = path.Dir(dir)
	}
	return dir
}

// sameEntry tells whether two entries are those of one cluster: the same path,
// under the same name. Two that flux bootstrap wrote never are, even if both
// apply one base; two FluxInstances are not if they make Flux different.
func sameEntry(a, b *cluster) bool {
	switch {
	case a.path() != b.path() || a.folder() != b.folder() || a.entries[0].name() != b.entries[0].name():
		return false
	case path.Dir(a.file) == path.Dir(b.file):
		return true
	case a.bootstrapped && b.bootstrapped:
		return false
	}
	return !a.instance || !b.instance || reflect.DeepEqual(a.controller, b.controller)
}
