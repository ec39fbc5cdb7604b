package fleet

import "slices"

// Contained reports whether a folder is enough to follow the clusters in it: the paths of
// all entries are written, and folders of it. Without an entry, one path of a Flux
// Kustomization must be. An artifact has paths of its own: a folder has the same by chance.
func Contained(x *Index) bool {
	w := &world{index: x, sources: newSources(x, nil, nil), coverage: newCoverage(x)}
	if entries := w.entries(nil); len(entries) > 0 {
		return !slices.ContainsFunc(entries, func(c *Cluster) bool { return c.assumed || !w.holds(c.File, c.path()) })
	}
	return slices.ContainsFunc(x.Kustomizations(), func(k Written) bool {
		return sourceRef(k.Object).kind != "ExternalArtifact" && w.holds(k.Path, pathOf(k.Object))
	})
}

// holds reports whether a path of a Kustomization in a file is a folder of the tree.
func (w *world) holds(file, dir string) bool { return rootOf(w.sources.tree(""), file, dir).known }
