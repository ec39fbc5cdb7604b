package flux

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// PatchSite is a place for patches of many releases: a Flux Kustomization, a
// kustomization.yaml or, if Extends is true, an existing patch.
type PatchSite struct {
	Writer
	Extends bool

	doc *yamledit.Document
	at  []any // the list of patches
}

// PatchSites lists the places where a patch would reach the release: the patches that set
// fields of it, the Flux Kustomization that applies it, and the kustomization.yaml files
// between the two, the outermost first. A release that a ResourceSet renders has none.
func (r *Release) PatchSites() []PatchSite {
	if len(r.origins.chain) == 0 || r.origins.own.Doc == nil || r.templated() {
		return nil
	}
	out := r.patches()
	k := r.origins.chain[0]
	if doc, ok := r.origins.table.Document(k.Object); ok && !k.Folder {
		out = append(out, PatchSite{Writer: r.AppliedBy[0], doc: doc.Doc, at: append(slices.Clone(doc.Path), "spec", "patches")})
	}
	own := func(name string) bool { f := k.Source.Files().File(name); return f != nil && f.Name() == r.File }
	for _, kust := range k.Source.Above(k.Dir, k.Object, own) {
		at := Writer{What: kust.Doc.File.Name, File: kust.Doc.File.Name, Line: kust.Doc.Line}
		out = append(out, PatchSite{Writer: at, doc: kust.Doc, at: []any{"patches"}})
	}
	return out
}

// templated reports whether a ResourceSet renders the release.
func (r *Release) templated() bool {
	obj, err := r.origins.own.Doc.Object()
	return err != nil || object.IsResourceSet(obj)
}

// patches lists the strategic merge patches that set fields of the release.
func (r *Release) patches() []PatchSite {
	var out []PatchSite
	object.Leaves(nil, r.origins.shadow, func(_ release.Path, tag any) {
		o, ok := r.origins.table.Origin(tag)
		if !ok || o.Writer.What == "" || o.IsOperation() {
			return
		}
		site := PatchSite{Writer: writerAt(o), Extends: true, doc: o.Doc}
		if !slices.ContainsFunc(out, func(other PatchSite) bool { return other.Writer == site.Writer }) {
			out = append(out, site)
		}
	})
	return out
}

// WrittenName returns the name of the release for patches: without the prefixes and
// suffixes that kustomize adds.
func (r *Release) WrittenName() string {
	name := r.nameInFile()
	if name == "" || strings.ContainsAny(name, "$<") {
		return r.Name
	}
	return name
}

// NameSubstituted reports whether a variable or a template stands in the name as it is
// written.
func (r *Release) NameSubstituted() bool { return strings.ContainsAny(r.nameInFile(), "$<") }

func (r *Release) nameInFile() string {
	value, _ := r.origins.own.Doc.Decode()
	obj, _ := object.Follow(value, r.origins.own.Path)
	return object.String(obj, "metadata", "name")
}

// Edits returns the edits that set fields by a patch in this place: for HelmReleases with
// these names or, without names, for all that the place reaches. A patch that is already
// there for the same releases is extended. For names, an existing patch (Extends) has no
// edits, because it would change other releases too.
func (s PatchSite) Edits(set []rules.Edit, names []string) []Edit {
	if s.Extends {
		if len(names) > 0 {
			return nil
		}
		return fieldsOf(s.doc, set)
	}
	value, err := s.doc.Decode()
	if err != nil {
		return nil
	}
	target := map[string]any{"group": release.Group, "kind": "HelmRelease"}
	if len(names) > 0 {
		target["name"] = nameRegexp(names)
	}
	list, _ := object.Follow(value, s.at)
	patches := trace.Patches(list, s.at...)
	for _, p := range patches {
		if doc := patchDocument(s.doc, p); doc != nil && sameTarget(p.Target, target) {
			return fieldsOf(doc, set)
		}
	}
	entry := map[string]any{"patch": centralText(set), "target": target}
	return []Edit{editOf(trace.Origin{Doc: s.doc, Path: append(slices.Clone(s.at), len(patches))}, entry)}
}

// Written returns what [PatchSite.Edits] write, as YAML for people: the fields where a patch
// is extended, else the patch in its list; "" if there are no edits.
func (s PatchSite) Written(set []rules.Edit, names []string) string {
	edits := s.Edits(set, names)
	if len(edits) == 0 {
		return ""
	}
	entry, isPatch := edits[0].Value.(map[string]any)
	if !isPatch || entry["target"] == nil {
		return Written(set) // into a patch that is there
	}
	list := map[string]any{"patches": []any{entry}}
	if len(s.at) > 1 {
		return encoded(map[string]any{"spec": list})
	}
	return encoded(list)
}

func fieldsOf(doc *yamledit.Document, set []rules.Edit) []Edit {
	var edits []Edit
	for _, e := range set {
		edits = append(edits, editOf(trace.Origin{Doc: doc, Path: e.Path}, e.Value))
	}
	return edits
}
