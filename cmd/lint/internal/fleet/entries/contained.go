package entries

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Contained reports whether a folder is enough to follow the clusters in it: the paths of
// all entries are written, and folders of it. Without an entry, one path of a Flux
// Kustomization must be. An artifact has paths of its own: a folder has the same by chance.
func Contained(x *manifests.Index) bool {
	w := &Finder{x, manifests.NewCoverage(x)}
	if entries := w.Entries(nil); len(entries) > 0 {
		return !slices.ContainsFunc(entries, func(c *Cluster) bool { return c.assumed || !w.holds(c.File, c.path()) })
	}
	return slices.ContainsFunc(x.Kustomizations(), func(k manifests.Written) bool {
		return sources.Ref(k.Object).Kind != "ExternalArtifact" && w.holds(k.Path, object.Path(k.Object))
	})
}

// holds reports whether a path of a Kustomization in a file is a folder of the tree.
func (w *Finder) holds(file, dir string) bool { return RootOf(w.Index.Packed(""), file, dir).Known }
