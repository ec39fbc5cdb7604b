package effective

import "slices"

// Entered lists the clusters that have an entry and a name, whether they apply releases or not.
func (t *Tree) Entered() []string {
	var names []string
	for _, c := range t.clusters {
		if c.Entered() && c.Name != "" {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Elsewhere returns the folders, by the names of clusters, that something outside of the tree applies as theirs.
func (t *Tree) Elsewhere() map[string]string {
	out := map[string]string{}
	for _, c := range t.clusters {
		if _, elsewhere := c.Elsewhere(); elsewhere {
			out[c.Name] = c.Dir
		}
	}
	return out
}

// ClusterNames lists the clusters that apply releases and have a name.
func (t *Tree) ClusterNames() []string {
	var names []string
	for _, r := range t.Releases {
		if r.Cluster != "" {
			names = append(names, r.Cluster)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
