package flux

import (
	"maps"
	"path"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// evidence collects the facts that may decide the tier of a release that a cluster
// applies. rel is the path of its file in the tree.
func evidence(c *fleet.Resolved, applied fleet.Applied, obj map[string]any, rel string) release.Evidence {
	target := c.Target(applied.By)
	e := release.Evidence{
		Object: obj, Namespace: c.Object(target, "Namespace/"+object.Namespace(obj)),
		Cluster: release.Cluster{Name: target}, Variables: map[string]string{},
	}
	if own := (release.Cluster{Name: c.Name, Folder: c.Dir}); target == c.Name {
		e.Cluster = own
	} else {
		e.Hub = own
	}
	for _, k := range slices.Backward(applied.By.Inside()) {
		maps.Copy(e.Variables, k.Variables.Values)
		e.Folders = append(e.Folders, path.Join(c.Root, k.Dir))
	}
	e.Folders = append(e.Folders, path.Dir(rel))
	return e
}
