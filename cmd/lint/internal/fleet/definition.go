package fleet

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
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
type schemas map[[sha256.Size]byte]*release.Schema

// content returns a definition as JSON, and the hash of what it says and where it is from.
func (d definition) content() (text []byte, key [sha256.Size]byte) {
	text, _ = json.Marshal(d.object) // it is read from JSON or YAML
	return text, sha256.Sum256(append([]byte(d.from+" "), text...))
}

// of returns the schema of a definition, or a note on why it has none.
func (s schemas) of(d definition) (schema *release.Schema, note string) {
	_, key := d.content()
	if known := s[key]; known != nil {
		return known, ""
	}
	schema, err := crd.SchemaOf(d.object, d.from)
	if err != nil {
		return nil, "in " + d.from + " does not say which fields there are: " + oneLine(err.Error())
	}
	s[key] = schema
	return schema, ""
}

// stated returns the minor version of Flux that a cluster has, as far as the tree and the configuration state a
// known one; else "".
func (p *pass) stated(cluster string) (flux string) {
	p.needs(installing)
	controller := installationIn(p, cluster).Controller
	if p.controller != nil {
		controller = p.controller(cluster, controller)
	}
	minor := semver.MajorMinor("v" + controller.Version)
	for candidate, releases := range fluxReleases {
		if semver.MajorMinor("v"+releases[0]) == minor && semver.Compare("v"+candidate, "v"+flux) > 0 {
			flux = candidate
		}
	}
	return flux
}

// kinds are the schemas of kinds, by apiVersion and kind.
type kinds map[string]crd.Schema

// defined is what a definition defines.
type defined struct {
	object map[string]any // is kept, so that no other one has its address
	kinds  kinds
}

// kinds returns what a definition defines. Many objects ask for it: it is remembered by its address, too.
func (x *Index) kinds(d definition) kinds {
	address := reflect.ValueOf(d.object).Pointer()
	if known, ok := x.defined[address]; ok {
		return known.kinds
	}
	text, key := definition{object: d.object}.content()
	out, ok := x.kindsOf[key]
	if !ok {
		read, _ := crd.Read(text) // what cannot be read defines nothing
		out = read.Known()
		x.kindsOf[key] = out
	}
	x.defined[address] = defined{d.object, out}
	return out
}

// define adds to an installation what the API server of its cluster accepts.
func (p *pass) define(cluster string, to *Installation) {
	found, note := p.definition(cluster, object.HelmReleases, p.objects)
	found.from = p.from(found, object.HelmReleases)
	to.define(p.index.schemas, found, note)
}

// define adds what a definition says, if there is one, or a note on why that is not known.
func (i *Installation) define(all schemas, found definition, note string) {
	if found.object != nil {
		i.Controller.Schema, note = all.of(found)
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
	written := p.index.definitionsOf(name)
	if i := slices.IndexFunc(written, func(w Written) bool { return w.Path == beside }); i >= 0 && cluster == p.cluster.Name {
		return definition{object: written[i].Object, from: beside}, ""
	}
	if cluster == p.cluster.Name && p.cluster.Unapplied() {
		return p.index.definition(name)
	}
	return definition{}, ""
}

// redefined returns why the API server of a cluster does not take an object, given why by what is known
// here of the newest API. If the object has something that is not known here, or that an older API does not have, the
// definition that the cluster has decides; what that allows is newer. Without one the version of Flux decides that
// the tree or the configuration states.
func (p *pass) redefined(cluster string, obj map[string]any, as build.Reading, known string) (why, newer string) {
	what, isNewer := strings.CutSuffix(known, object.MisspeltOrNewer)
	if known != "" && !isNewer || known == "" && crd.Later(obj, "2.0") == "" {
		return known, ""
	}
	apiVersion, kind := object.String(obj, "apiVersion"), object.String(obj, "kind")
	group, _, _ := strings.Cut(apiVersion, "/")
	name := strings.Replace(strings.ToLower(kind)+"s", "ys", "ies", 1) + "." + group
	if isNewer { // once the tree applies it, the cluster is walked again
		p.find(cluster, "CustomResourceDefinition/"+name)
	}
	p.needs(name)
	found, _ := p.definition(cluster, name, p.known())
	schema, ok := p.index.kinds(found)[apiVersion+"/"+kind]
	if !ok {
		return p.unstated(cluster, obj, known), ""
	}
	switch wrong := build.Refuses(schema, obj, as); {
	case wrong == nil && !isNewer:
		return "", ""
	case wrong == nil:
		return "", what + "newer than this program, and judged as if it were not there"
	case wrong.Newer:
		return "is refused by the API server: the definition in " + p.from(found, name) + " does not allow " + wrong.Field, ""
	default:
		return "is refused by the API server: " + wrong.String(), ""
	}
}

// unstated returns why the version of Flux that is stated of a cluster does not take an object, given why the newest
// known one does not, if it does not.
func (p *pass) unstated(cluster string, obj map[string]any, known string) string {
	flux := p.stated(cluster)
	if flux == "" {
		return known
	}
	if what, isNewer := strings.CutSuffix(known, object.MisspeltOrNewer); isNewer {
		return what + "not in the API of Flux " + flux
	}
	if later := crd.Later(obj, flux); later != "" {
		return "has " + later + ", which is not in the API of Flux " + flux
	}
	return ""
}

// from names for people where a cluster has a definition of a name from.
func (p *pass) from(d definition, name string) string {
	if d.by == nil {
		return d.from
	}
	for _, w := range p.index.definitionsOf(name) {
		if d.by.reads(p.index, w.Path) {
			return w.Path
		}
	}
	return "Kustomization " + d.by.FullName()
}

// definitionsOf returns those of a name that are written in the tree.
func (x *Index) definitionsOf(name string) []Written {
	return slices.DeleteFunc(slices.Clone(x.definitions), func(w Written) bool { return object.Name(w.Object) != name })
}

// definition returns the one of a name that is written in the tree, or a note that several are. It compares them
// once.
func (x *Index) definition(name string) (found definition, note string) {
	if x.agreed[name] == nil {
		found, note = x.agreement(name)
		x.agreed[name] = func() (definition, string) { return found, note }
	}
	return x.agreed[name]()
}

func (x *Index) agreement(name string) (found definition, note string) {
	for _, w := range x.definitionsOf(name) {
		switch {
		case found.object == nil:
			found = definition{object: w.Object, from: w.Path}
		case !reflect.DeepEqual(found.object["spec"], w.Object["spec"]):
			return definition{}, fmt.Sprintf("is not known: those in %s and %s differ", found.from, w.Path)
		}
	}
	return found, ""
}

// ByHand returns what is known of the cluster of releases that nothing applies: it has the
// definition of HelmRelease of a tree in which there is no entry of a cluster.
func (f *Fleet) ByHand() (out Installation) {
	if found, note := f.Index.definition(object.HelmReleases); !f.Entered {
		out.define(f.Index.schemas, found, note)
	}
	return out
}
