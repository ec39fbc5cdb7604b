package effective

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
)

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

// EntryNames returns the names of clusters by their entries, without those that clusters of two inputs have.
func (t *Tree) EntryNames() entries.Names {
	names, roots, twice := entries.Names{}, map[string]string{}, map[string]bool{}
	for _, c := range t.clusters {
		entry, root := c.Entry()
		if was, known := roots[c.Name]; known && was != root {
			twice[c.Name] = true
		}
		names[entry], roots[c.Name] = c.Name, root
	}
	for entry, name := range names {
		if twice[name] {
			delete(names, entry)
		}
	}
	return names
}
