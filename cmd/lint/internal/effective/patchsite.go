package effective

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
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
	// of is the Flux Kustomization to which a patch in this place adds patches; nil if it is one
	// of HelmReleases itself.
	of map[string]any
}

// PatchSites lists the places where a patch would reach the release: the patches that set
// fields of it, the Flux Kustomization that applies it, and the kustomization.yaml files
// between the two, the outermost first. A release that a ResourceSet renders has none.
func (r *origins) PatchSites() []PatchSite {
	if len(r.chain) == 0 || r.own.Doc == nil || r.templated() {
		return nil
	}
	out := r.patches()
	k := r.chain[0]
	if doc, ok := r.table.Document(k.Object); ok && !k.Folder {
		out = append(out, PatchSite{Writer: r.AppliedBy[0], doc: doc.Doc, at: append(slices.Clone(doc.Path), "spec", "patches")})
		if site, ok := r.besideGenerated(doc.Doc); ok {
			out = append(out, site)
		}
	}
	for _, kust := range kustsAbove(k, r.File) {
		out = append(out, kustSite(kust))
	}
	return slices.DeleteFunc(out, func(s PatchSite) bool { return yamledit.IsGenerated(s.File, s.doc.File.Data()) })
}

// kustsAbove lists the kustomization.yaml files through which a Kustomization takes a file.
func kustsAbove(k *entries.Kustomization, file string) []*build.KustFile {
	is := func(name string) bool { f := k.Source.Files().File(name); return f != nil && f.Name() == file }
	return k.Source.Above(k.Dir, k.Object, is)
}

func kustSite(kust *build.KustFile) PatchSite {
	at := Writer{What: kust.Doc.File.Name, File: kust.Doc.File.Name, Line: kust.Doc.Line}
	return PatchSite{Writer: at, doc: kust.Doc, at: []any{"patches"}}
}

// besideGenerated returns the kustomization.yaml in the folder of a Kustomization whose file a
// tool writes anew, as flux bootstrap does: a patch there changes the Kustomization.
func (r *origins) besideGenerated(doc *yamledit.Document) (PatchSite, bool) {
	if !yamledit.IsGenerated(doc.File.Name, doc.File.Data()) {
		return PatchSite{}, false
	}
	for _, k := range r.chain {
		for _, kust := range kustsAbove(k, doc.File.Name) {
			if filepath.Dir(kust.Doc.File.Name) == filepath.Dir(doc.File.Name) {
				site := kustSite(kust)
				site.of = trace.Without(r.chain[0].Object)
				return site, true
			}
		}
	}
	return PatchSite{}, false
}

// patches lists the strategic merge patches that set fields of the release.
func (r *origins) patches() []PatchSite {
	var out []PatchSite
	object.Leaves(nil, r.shadow, func(_ release.Path, tag any) {
		o, ok := r.table.Origin(tag)
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

// WrittenName returns the name of the object for patches: without the prefixes and
// suffixes that kustomize adds.
func (s Subject) WrittenName() string {
	name := s.nameInFile()
	if name == "" || strings.ContainsAny(name, "$<") {
		return object.Name(s.Object)
	}
	return name
}

// NameSubstituted reports whether a variable or a template stands in the name as it is
// written.
func (r *origins) NameSubstituted() bool { return strings.ContainsAny(r.nameInFile(), "$<") }

func (r *origins) nameInFile() string {
	return r.own.Doc.Text(append(slices.Clone(r.own.Path), "metadata", "name")...)
}

// Target says for which objects of a kind a patch is: all that its place reaches, or of these the
// ones with a name, in a namespace, or that a label selector selects.
type Target struct {
	Names     []string
	Namespace string
	Labels    string
}

// fields returns the target as a patch that makes edits has it.
func (t Target) fields(set []rules.Edit) map[string]any {
	group, _, kind := typeOf(set)
	out := map[string]any{"group": group, "kind": kind}
	if len(t.Names) > 0 {
		out["name"] = nameRegexp(t.Names)
	}
	if t.Namespace != "" {
		out["namespace"] = t.Namespace
	}
	if t.Labels != "" {
		out["labelSelector"] = t.Labels
	}
	return out
}

// isAll reports whether the target is all that the place reaches.
func (t Target) isAll() bool { return len(t.Names) == 0 && t.Namespace == "" && t.Labels == "" }

// Edits returns the edits that set fields by a patch in this place for a target. A patch that is
// already there for the same releases is extended. One that only sets fields of releases (Extends)
// has no edits but for all, because it would change other releases too.
func (s PatchSite) Edits(set []rules.Edit, to Target) []Edit {
	if s.Extends {
		if !to.isAll() {
			return nil
		}
		return fieldsOf(s.doc, set)
	}
	value, err := s.doc.Decode()
	if err != nil {
		return nil
	}
	list, _ := object.Follow(value, s.at)
	patches := trace.Patches(list, s.at...)
	if s.of != nil {
		return s.editsOfKustomization(patches, set, to)
	}
	for _, p := range patches {
		if doc := patchDocument(s.doc, p); doc != nil && sameTarget(p.Target, to.fields(set)) {
			return fieldsOf(doc, set)
		}
	}
	return []Edit{s.appended(len(patches), patchEntry(set, to))}
}

// appended returns the edit that adds an entry behind n others.
func (s PatchSite) appended(n int, entry map[string]any) Edit {
	return editOf(trace.Origin{Doc: s.doc, Path: append(slices.Clone(s.at), n)}, entry)
}

func patchEntry(set []rules.Edit, to Target) map[string]any {
	return map[string]any{"patch": centralText(set), "target": to.fields(set)}
}

// editsOfKustomization returns the edits that add a patch to a Flux Kustomization by a patch of
// it: by the one that sets its patches already or, if nothing sets them, by a new one.
func (s PatchSite) editsOfKustomization(patches []trace.Patch, set []rules.Edit, to Target) []Edit {
	name := object.String(s.of, "metadata", "name")
	for _, p := range patches {
		doc := patchDocument(s.doc, p)
		if doc == nil {
			continue
		}
		obj, err := doc.Object()
		if _, lists := object.At(obj, "spec", "patches").([]any); err == nil && lists && object.String(obj, "kind") == "Kustomization" &&
			(object.String(obj, "metadata", "name") == name || p.Target["name"] == name) {
			return PatchSite{Writer: s.Writer, doc: doc, at: []any{"spec", "patches"}}.Edits(set, to)
		}
	}
	if object.At(s.of, "spec", "patches") != nil {
		return nil // a list of patches is replaced, not merged
	}
	text := encoded(map[string]any{
		"apiVersion": object.String(s.of, "apiVersion"), "kind": "Kustomization",
		"metadata": map[string]any{"name": name, "namespace": object.String(s.of, "metadata", "namespace")},
		"spec":     map[string]any{"patches": []any{patchEntry(set, to)}},
	})
	return []Edit{s.appended(len(patches), map[string]any{"patch": text, "target": map[string]any{"kind": "Kustomization", "name": name}})}
}

// Written returns what [PatchSite.Edits] write, as YAML for people: the fields where a patch
// is extended, else the patch in its list; "" if there are no edits.
func (s PatchSite) Written(set []rules.Edit, to Target) string {
	edits := s.Edits(set, to)
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

// WrittenLabels returns the labels that the object's own document sets.
func (r *origins) WrittenLabels() map[string]any {
	value, _ := r.own.Doc.Shared()
	obj, _ := object.Follow(value, r.own.Path)
	labels, _ := object.At(obj, "metadata", "labels").(map[string]any)
	return labels
}
