package effective

import "slices"

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
