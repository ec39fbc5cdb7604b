package fleet

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/internal/crd"
	"github.com/flux-remedy/remedy/pkg/release"
)

// definition is the CustomResourceDefinition of HelmRelease that a cluster has.
type definition struct {
	object map[string]any
	from   string // for people: its file, or the Kustomization that applies it
}

// schemas are those of definitions, each read once, by their content.
type schemas map[[sha256.Size]byte]*release.Schema

// of returns the schema of a definition, or a note on why it has none.
func (s schemas) of(d definition) (schema *release.Schema, note string) {
	content, err := json.Marshal([]any{d.from, d.object["spec"]})
	if err != nil {
		return nil, ""
	}
	key := sha256.Sum256(content)
	if known := s[key]; known != nil {
		return known, ""
	}
	if schema, err = crd.SchemaOf(d.object, d.from); err != nil {
		return nil, "the HelmRelease definition in " + d.from + " does not say which fields there are: " + oneLine(err.Error())
	}
	s[key] = schema
	return schema, ""
}

// define adds to an installation what the API server of its cluster accepts.
func (p *pass) define(cluster string, to *Installation) {
	found, note := p.definition(cluster)
	to.define(p.index.schemas, found, note)
}

// define adds what a definition says, if there is one, or a note on why that is not known.
func (i *Installation) define(all schemas, found definition, note string) {
	if found.object != nil {
		i.Controller.Schema, note = all.of(found)
	}
	if note != "" {
		i.Notes = append(i.Notes, note)
	}
}

// definition returns the one of a cluster: that which is applied to it, else that which flux
// bootstrap has written beside the entry. What nothing in the tree applies has the one that
// is written there. It is zero if there is none, or, with a note, if it is not known which.
func (p *pass) definition(cluster string) (found definition, note string) {
	key := "CustomResourceDefinition/" + object.HelmReleases
	if present := p.objects.present(cluster, key); len(present) == 1 {
		return definition{present[0].object, p.definedIn(present[0].by)}, ""
	} else if len(p.objects[cluster][key]) > 0 {
		return definition{}, "the HelmRelease definition is not known: the tree has several for this cluster, or Flux skips it"
	}
	beside := path.Join(path.Dir(p.cluster.File), "gotk-components.yaml")
	if i := slices.IndexFunc(p.index.definitions, func(w Written) bool { return w.Path == beside }); i >= 0 && cluster == p.cluster.Name {
		return definition{p.index.definitions[i].Object, beside}, ""
	}
	if cluster == p.cluster.Name && p.cluster.Unapplied() {
		return p.index.definition()
	}
	return definition{}, ""
}

// redefined returns why the API server of a cluster does not take an object, given why by what is known
// here. If the object has something that is not known here, the definition that flux bootstrap has written
// beside the entry decides; what that allows is newer.
func (p *pass) redefined(cluster string, obj map[string]any, as build.Reading, known string) (why, newer string) {
	what, isNewer := strings.CutSuffix(known, object.MisspeltOrNewer)
	beside := path.Join(path.Dir(p.cluster.File), "gotk-components.yaml")
	if !isNewer || cluster != p.cluster.Name {
		return known, ""
	}
	schema, ok := p.index.schemasIn(beside)[object.String(obj, "apiVersion")+"/"+object.String(obj, "kind")]
	if _, understood := crd.Known(object.String(obj, "apiVersion"), object.String(obj, "kind")); !ok || !understood {
		return known, ""
	}
	switch wrong := build.Refuses(schema, obj, as); {
	case wrong == nil:
		return "", what + "newer than this program, and judged as if it were not there"
	case wrong.Newer:
		return "is refused by the API server: the definition in " + beside + " does not allow " + wrong.Field, ""
	default:
		return "is refused by the API server: " + wrong.String(), ""
	}
}

// schemasIn returns the schemas of the definitions in a file, by apiVersion and kind.
func (x *Index) schemasIn(name string) map[string]crd.Schema {
	if known, ok := x.defined[name]; ok {
		return known
	}
	out := map[string]crd.Schema{}
	if file := x.Parse(name); file != nil {
		object.Each(file, func(_ *yamledit.Document, obj map[string]any) {
			if !object.Is(obj, "CustomResourceDefinition") {
				return
			}
			if text, err := json.Marshal(obj); err == nil {
				if definition, err := crd.Read(text); err == nil {
					maps.Copy(out, definition.Known())
				}
			}
		})
	}
	x.defined[name] = out
	return out
}

// definedIn names for people where a Kustomization has the definition from.
func (p *pass) definedIn(k *Kustomization) string {
	for _, w := range p.index.definitions {
		if k.reads(p.index, w.Path) {
			return w.Path
		}
	}
	return "Kustomization " + k.FullName()
}

// definition returns the one that is written in the tree, or a note that several are.
func (x *Index) definition() (found definition, note string) {
	for _, w := range x.definitions {
		switch {
		case found.object == nil:
			found = definition{w.Object, w.Path}
		case !reflect.DeepEqual(found.object["spec"], w.Object["spec"]):
			return definition{}, fmt.Sprintf("the HelmRelease definition is not known: those in %s and %s differ", found.from, w.Path)
		}
	}
	return found, ""
}

// ByHand returns what is known of the cluster of releases that nothing applies: it has the
// definition of HelmRelease of a tree in which there is no entry of a cluster.
func (f *Fleet) ByHand() (out Installation) {
	if found, note := f.Index.definition(); !f.Entered {
		out.define(f.Index.schemas, found, note)
	}
	return out
}
