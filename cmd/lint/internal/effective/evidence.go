package effective

import (
	"maps"
	"path"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// evidence collects the facts that may decide the tier of a release that a cluster
// applies. rel is the path of its file in the tree.
func (l *loader) evidence(c *fleet.Resolved, applied fleet.Applied, obj map[string]any, rel string) release.Evidence {
	target := c.Target(applied.By)
	e := release.Evidence{
		Object: obj, Namespace: c.Object(target, "Namespace/"+object.Namespace(obj)),
		Variables: map[string]string{},
	}
	switch {
	case target != c.Name:
		e.Cluster.Name, e.Hub.Name = target, c.Name
		if c.Named(c.Dir) {
			e.Hub.Folder = c.Dir
		}
	case c.Named(c.Dir):
		e.Cluster = release.Cluster{Name: c.Name, Folder: c.Dir}
	default: // it is named after some folder
		e.Folders = append(e.Folders, release.Folder{Path: c.Dir, Entries: l.in.Files.Entries})
	}
	for _, k := range slices.Backward(applied.By.Inside()) {
		maps.Copy(e.Variables, k.Variables.Values)
		e.Folders = append(e.Folders, l.built(c, k))
	}
	e.Folders = append(e.Folders, release.Folder{Path: path.Dir(rel), Entries: l.in.Files.Entries})
	return e
}

// built returns the folder that a Kustomization builds.
func (l *loader) built(c *fleet.Resolved, k *entries.Kustomization) release.Folder {
	if dir := path.Join(c.Root, k.Dir); k.Source.Own && l.in.Files.IsDir(dir) {
		return release.Folder{Path: dir, Entries: l.in.Files.Entries}
	}
	return release.Folder{Path: k.Dir, Entries: k.Source.Files().Entries}
}

// entriesOf returns keys of the Kustomizations that lead to what one applies, within its
// target.
func entriesOf(c *fleet.Resolved, by *entries.Kustomization) []string {
	var out []string
	for _, k := range by.Inside() {
		host := c.Name
		if k.Parent != nil {
			host = c.Target(k.Parent)
		}
		out = append(out, host+" "+k.FullName())
	}
	return out
}
