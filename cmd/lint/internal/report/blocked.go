package report

import (
	"cmp"
	"fmt"
	"slices"
)

// Blocked is a Kustomization of which Flux applies nothing, but for CRDs, ClusterRoles,
// Namespaces and classes.
type Blocked struct {
	// Kustomization is namespace/name, Releases how many it applies.
	Kustomization string `json:"kustomization"`
	Cluster       string `json:"cluster,omitempty"`
	Releases      int    `json:"releases"`
}

// blocked says of what Flux applies nothing because of a group of findings: "Kustomization
// flux-system/apps with 12 releases", each with its cluster if there are several.
func blocked(group []Finding) []string {
	var all []Blocked
	for _, f := range group {
		for _, b := range f.Blocks {
			if !slices.Contains(all, b) {
				all = append(all, b)
			}
		}
	}
	slices.SortFunc(all, func(a, b Blocked) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Kustomization, b.Kustomization))
	})
	var out []string
	for _, b := range all {
		text := fmt.Sprintf("Kustomization %s with %s", b.Kustomization, count(b.Releases, "release"))
		if len(all) > 1 && b.Cluster != "" {
			text += fmt.Sprintf(" in cluster %q", b.Cluster)
		}
		out = append(out, text)
	}
	return out
}
