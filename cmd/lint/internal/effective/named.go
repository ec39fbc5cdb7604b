package effective

import (
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// naming is a field that sets the namespace of all objects, or a part of their names: in a kustomization.yaml as inFolder, in
// the spec of a Flux Kustomization as inSpec. given reports whether a name can be made with the text of the field.
type naming struct {
	inFolder, inSpec string
	given            func(name, text string) bool
}

var namings = map[string][]naming{
	"metadata.namespace": {{"namespace", "targetNamespace", func(name, text string) bool { return name == text }}},
	"metadata.name":      {{"namePrefix", "namePrefix", strings.HasPrefix}, {"nameSuffix", "nameSuffix", strings.HasSuffix}},
}

// namedBy returns the place that sets the namespace or the name of the release, and reports whether that is outside of its own
// document: in the Flux Kustomization that applies it or, if that sets none, in the outermost kustomization.yaml. A prefix that
// the release had before a change, too, has not changed its name.
func (r *Release) namedBy(at release.Path) (Location, bool) {
	all := namings[at.String()]
	if len(all) == 0 || len(r.chain) == 0 || r.templated() {
		return Location{}, false
	}
	value, _ := r.Value(at)
	name, _ := value.(string)
	gives := func(n naming, text string) bool {
		if was := r.Replaced; was != nil && at[1] == "name" && n.given(was.Name, text) {
			return false
		}
		return text != "" && (variables.Use().MatchString(text) || n.given(name, text))
	}
	if k, known := r.Subject(applierKind); known {
		for _, n := range all {
			if gives(n, object.String(k.Object, "spec", n.inSpec)) {
				return named(k.locate(release.Path{"spec", n.inSpec}), n.inSpec+" of "+r.chain[0].Called()), true
			}
		}
	}
	for _, file := range r.fleet.Between(r.chain[0], r.File) {
		for _, n := range all {
			if doc := documentOf(r.fleet.Index.Parse(file)); doc != nil && gives(n, doc.Text(n.inFolder)) {
				pos, _ := doc.Find(n.inFolder)
				return named(Location{
					File: doc.File.Name, Line: pos.Line, Column: pos.Column, Exact: true, Excerpt: doc.Excerpt(true, n.inFolder),
					doc: doc, path: release.Path{n.inFolder},
				}, n.inFolder+" of "+doc.File.Name), true
			}
		}
	}
	return Location{}, false
}

// named returns a place with what is written there, if that is not said yet.
func named(at Location, what string) Location {
	if len(at.SetBy) == 0 {
		at.SetBy = []Writer{{What: what, File: at.File, Line: at.Line}}
	}
	return at
}

// documentOf returns the only document of a file; nil if there are more, or none.
func documentOf(file *yamledit.File) *yamledit.Document {
	if file == nil || len(file.Documents) != 1 {
		return nil
	}
	return file.Documents[0]
}
