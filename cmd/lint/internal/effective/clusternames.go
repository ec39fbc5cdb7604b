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
