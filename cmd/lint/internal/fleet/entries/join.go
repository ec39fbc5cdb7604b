package entries

import (
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
)

// Joined makes one cluster of those whose entries are in different folders of one cluster,
// because that is bootstrapped from outside of the tree: an entry that is not in the tree
// applies them all. These are the folders below clusters/NAME, unless two of their
// Kustomizations have the same name: then each of its folders is a cluster.
func Joined(x *manifests.Index, clusters []*Cluster) []*Cluster { return joinedAt(x, clusters, 1) }

// joinedAt joins clusters by the folder that is so many levels below clusters.
func joinedAt(x *manifests.Index, clusters []*Cluster, level int) []*Cluster {
	var homes []string
	parts := map[string][]*Cluster{}
	for _, c := range clusters {
		home := homeOf(c.Dir, level)
		if parts[home] == nil {
			homes = append(homes, home)
		}
		parts[home] = append(parts[home], c)
	}
	var out []*Cluster
	for _, home := range homes {
		switch part := parts[home]; {
		case len(part) == 1 || home == part[0].Dir && home == part[1].Dir:
			out = append(out, part...)
		case sharesNames(x, part):
			out = append(out, joinedAt(x, part, level+1)...)
		default:
			out = append(out, join(home, part))
		}
	}
	return out
}

// homeOf returns the folder that is so many levels below the innermost folder clusters of
// a path; the path itself if there is no such folder.
func homeOf(dir string, level int) string {
	parts := strings.Split(dir, "/")
	for i, part := range slices.Backward(parts) {
		if part == "clusters" && i+level < len(parts) {
			return path.Join(parts[:i+level+1]...)
		}
	}
	return dir
}

// sharesNames reports whether two of the clusters have a Kustomization of the same name.
func sharesNames(x *manifests.Index, clusters []*Cluster) bool {
	seen := map[string]bool{}
	for _, c := range clusters {
		for _, name := range namesIn(x, c) {
			if seen[name] {
				return true
			}
			seen[name] = true
		}
	}
	return false
}

// namesIn returns the names of the Kustomizations that the entries of a cluster are or
// list.
func namesIn(x *manifests.Index, c *Cluster) []string {
	files := c.Files
	for _, entry := range c.Entries {
		if entry.Folder {
			files = append(slices.Clone(files), entry.Files()...)
		}
	}
	var out []string
	for _, k := range x.Kustomizations() {
		if slices.Contains(files, k.Path) {
			out = append(out, (&Kustomization{Object: k.Object}).FullName())
		}
	}
	return out
}

// join makes one cluster of several.
func join(home string, clusters []*Cluster) *Cluster {
	out := *clusters[0]
	out.Name, out.Dir = clusterName(home), home
	for _, c := range clusters[1:] {
		out.Entries = append(out.Entries, c.Entries...)
		out.Files = append(out.Files, c.Files...)
		out.leads = append(out.leads, c.leads...)
		out.Found = min(out.Found, c.Found)
	}
	return &out
}
