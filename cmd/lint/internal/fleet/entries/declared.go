package entries

import (
	"path"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
)

// Declared is a cluster that the user declares, because its entry is not in the tree.
type Declared struct {
	Name string
	// Path is the folder of the tree that the entry applies.
	Path string
	// Source is the source that the tree is, as Kind/namespace/name; "" is the one that
	// flux bootstrap makes.
	Source string
	// File and Line are where it is declared, for people.
	File string
	Line int
}

// declaredClusters returns the clusters that the user declares.
func (w *Finder) declaredClusters(all []Declared) []*Cluster {
	var out []*Cluster
	for _, d := range all {
		ref := sources.Reference{Kind: "GitRepository", Namespace: "flux-system", Name: "flux-system"}
		if parts := strings.Split(d.Source, "/"); len(parts) == 3 {
			ref = sources.Reference{Kind: parts[0], Namespace: parts[1], Name: parts[2]}
		}
		sync := controllers.SyncObject(ref.Kind, ref.Name, d.Path)
		sync["metadata"].(map[string]any)["namespace"] = ref.Namespace
		c := w.cluster(manifests.Written{Path: path.Join(d.Path, "flux-system", syncFile), Object: sync}, Bootstrapped)
		c.Name = d.Name
		c.Entries[0].File, c.Entries[0].Line = d.File, d.Line
		out = append(out, c)
	}
	return out
}
