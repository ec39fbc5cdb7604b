package fleet

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/internal/crd"
	"github.com/flux-remedy/remedy/pkg/release"
)

// definition is a CustomResourceDefinition of Flux that a cluster has.
type definition struct {
	object map[string]any
	by     *Kustomization // that applies it
	from   string         // for people: its file, or the Kustomization that applies it
}

// schemas are those of definitions, each read once, by their content.
type schemas = cores.Once[[sha256.Size]byte, read]

// read is the schema of a definition, or a note on why it has none.
type read struct {
	schema *release.Schema
	note   string
}

// content returns a definition as JSON, and the hash of what it says and where it is from.
func (d definition) content() (text []byte, key [sha256.Size]byte) {
	text, _ = json.Marshal(d.object) // it is read from JSON or YAML
	return text, sha256.Sum256(append([]byte(d.from+" "), text...))
}

func (d definition) read() (out read) {
	var err error
	if out.schema, err = crd.SchemaOf(d.object, d.from); err != nil {
		out.note = "in " + d.from + " does not say which fields there are: " + oneLine(err.Error())
	}
	return out
}

// define adds to an installation what the API server of its cluster accepts.
func (p *pass) define(cluster string, to *controllers.Installation) {
	found, note := p.definition(cluster, object.HelmReleases, p.objects)
	found.from = p.from(found, object.HelmReleases)
	definedBy(to, &p.index.schemas, found, note)
}

// definedBy adds to an installation what a definition says, if there is one, or a note on why that is not known.
func definedBy(i *controllers.Installation, all *schemas, found definition, note string) {
	if found.object != nil {
		_, key := found.content()
		known := all.Of(key, found.read)
		i.Controller.Schema, note = known.schema, known.note
	}
	if note != "" {
		i.Notes = append(i.Notes, "the HelmRelease definition "+note)
	}
}

// definition returns the one of a name that a cluster has: that which is applied to it, else that which flux
// bootstrap has written beside the entry. What nothing in the tree applies has the one that
// is written there. It is zero if there is none, or, with a note, if it is not known which.
func (p *pass) definition(cluster, name string, among objects) (found definition, note string) {
	key := "CustomResourceDefinition/" + name
	if present := among.present(cluster, key); len(present) == 1 {
		return definition{object: present[0].object, by: present[0].by}, ""
	} else if len(among[cluster][key]) > 0 {
		return definition{}, "is not known: the tree has several for this cluster, or Flux skips it"
	}
	beside := path.Join(path.Dir(p.cluster.File), "gotk-components.yaml")
	written := p.index.definitions[name]
	if i := slices.IndexFunc(written, func(w Written) bool { return w.Path == beside }); i >= 0 && cluster == p.cluster.Name {
		return definition{object: written[i].Object, from: beside}, ""
	}
	if cluster == p.cluster.Name && p.cluster.Unapplied() {
		return p.index.definition(name)
	}
	return definition{}, ""
}

// from names for people where a cluster has a definition of a name from.
func (p *pass) from(d definition, name string) string {
	if d.by == nil {
		return d.from
	}
	for _, w := range p.index.definitions[name] {
		if d.by.reads(p.index, w.Path) {
			return w.Path
		}
	}
	return "Kustomization " + d.by.FullName()
}

// written is the definition of a name that is written in the tree, or a note that several are.
type written struct {
	definition
	note string
}

// definition returns what is written of a name, once: definitions are large, and many objects ask for them.
func (x *Index) definition(name string) (found definition, note string) {
	out := x.written.Of(name, func() (out written) {
		for _, w := range x.definitions[name] {
			switch {
			case out.object == nil:
				out.definition = definition{object: w.Object, from: w.Path}
			case !reflect.DeepEqual(out.object["spec"], w.Object["spec"]):
				return written{note: fmt.Sprintf("is not known: those in %s and %s differ", out.from, w.Path)}
			}
		}
		return out
	})
	return out.definition, out.note
}
