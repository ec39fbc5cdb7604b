package fleet

import (
	"path"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// definition is a CustomResourceDefinition of Flux that a cluster has.
type definition struct {
	object map[string]any
	by     *entries.Kustomization // that applies it
	from   string                 // for people: its file, or the Kustomization that applies it
}

// define adds to an installation what the API server of its cluster accepts.
func (f *flux) define(cluster string, to *controllers.Installation) {
	found, note := f.definition(cluster, object.HelmReleases, f.objects)
	definedBy(to, f.index, found.object, f.from(found, object.HelmReleases), note)
}

// definedBy adds to an installation what a definition says, if there is one, or a note on why that is not known.
func definedBy(i *controllers.Installation, x *manifests.Index, object map[string]any, from, note string) {
	if object != nil {
		i.Controller.Schema, note = x.Schema(object, from)
	}
	if note != "" {
		i.Notes = append(i.Notes, "the HelmRelease definition "+note)
	}
}

// definition returns the one of a name that a cluster has: that which is applied to it, else that which flux
// bootstrap has written beside the entry. What nothing in the tree applies has the one that
// is written there. It is zero if there is none, or, with a note, if it is not known which.
func (f *flux) definition(cluster, name string, among objects) (found definition, note string) {
	key := "CustomResourceDefinition/" + name
	if present := among.present(cluster, key); len(present) == 1 {
		return definition{object: present[0].object, by: present[0].by}, ""
	} else if len(among[cluster][key]) > 0 {
		return definition{}, "is not known: the tree has several for this cluster, or Flux skips it"
	}
	beside := path.Join(path.Dir(f.cluster.File), "gotk-components.yaml")
	written := f.index.Definitions(name, func(file string) bool { return file == beside })
	if len(written) > 0 && cluster == f.cluster.Name {
		return definition{object: written[0].Object, from: beside}, ""
	}
	if cluster == f.cluster.Name && f.cluster.Unapplied() {
		found.object, found.from, note = f.index.Definition(name)
		return found, note
	}
	return definition{}, ""
}

// from names for people where a cluster has a definition of a name from.
func (f *flux) from(d definition, name string) string {
	if d.by == nil {
		return d.from
	}
	if written := f.index.Definitions(name, func(file string) bool { return d.by.Reads(f.index, file) }); len(written) > 0 {
		return written[0].Path
	}
	return d.by.Called()
}
