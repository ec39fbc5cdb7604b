package flux

import (
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// PatchSite is a place whose patches are for many releases: a Flux Kustomization, a
// kustomization.yaml or, as Extends tells, a patch that is there already.
type PatchSite struct {
	Writer
	Extends bool

	doc *yamledit.Document
	at  []any // the list of patches
}

// PatchSites lists the places where a patch would reach the release: the patches
// that write some of it, the Flux Kustomization that applies it, and the
// kustomization.yaml files through which that takes it, the outermost first. A
// release that is written by a template is not reached by any.
func (r *Release) PatchSites() []PatchSite {
	if len(r.chain) == 0 || r.own.doc == nil || r.templated() {
		return nil
	}
	out := r.existingPatches()
	k := r.chain[0]
	if own, ok := r.tags.get(nested(k.object, traceKey, docKey)); ok && !k.folder {
		out = append(out, PatchSite{Writer: r.AppliedBy[0], doc: own.doc, at: append(slices.Clone(own.path), "spec", "patches")})
	}
	for _, kust := range k.source.above(k.dir, r.isOwn) {
		at := Writer{What: kust.doc.File.Name, File: kust.doc.File.Name, Line: kust.doc.Line}
		out = append(out, PatchSite{Writer: at, doc: kust.doc, at: []any{"patches"}})
	}
	return out
}

// templated tells whether a ResourceSet makes the release.
func (r *Release) templated() bool {
	object, err := r.own.doc.Object()
	return err != nil || isResourceSet(object)
}

// isOwn tells whether a file of the repository is the release's own.
func (r *Release) isOwn(rel string) bool { return r.loader.repo.name(rel) == r.File }

// existingPatches lists the patches that write some of the release and look like it.
func (r *Release) existingPatches() []PatchSite {
	var out []PatchSite
	leaves(nil, r.trace, func(_ release.Path, tag any) {
		f, ok := r.tags.get(tag)
		if !ok || f.writer.what == "" || isOperation(f) {
			return
		}
		h := PatchSite{Writer: writerAt(f), Extends: true, doc: f.doc}
		if !slices.ContainsFunc(out, func(o PatchSite) bool { return o.Writer == h.Writer }) {
			out = append(out, h)
		}
	})
	return out
}

// above lists the kustomization.yaml files through which a build of a folder
// takes a file of the repository, the outermost first. Those of components are
// left out: they patch more than they take.
func (a *artifact) above(dir string, is func(rel string) bool) []*kustFile {
	files, _ := a.closure(dir)
	if !slices.ContainsFunc(files, func(file string) bool { return a.from[file] != "" && is(a.from[file]) }) {
		return nil
	}
	var out []*kustFile
	inner := a.scanned(dir)
	if k := a.kustFileIn(dir); k != nil {
		if !k.component {
			out = append(out, k)
		}
		inner = k.folders(a)
	}
	for _, dir := range inner {
		for _, k := range a.above(dir, is) {
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// scanned lists the folders that Flux takes from one without kustomization.yaml.
func (a *artifact) scanned(dir string) []string {
	return slices.DeleteFunc(a.scan(dir), func(name string) bool { return !a.isDir(name) })
}

// folders lists those that a kustomization.yaml takes resources from.
func (k *kustFile) folders(a *artifact) []string {
	var out []string
	for _, field := range entriesOf {
		for _, entry := range k.list(field) {
			if name := k.resolve(entry); entry != "" && !isRemote(entry) && a.isDir(name) && name != path.Dir(k.name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// WrittenName is the name that patches know the release by, before what is put
// before or behind it.
func (r *Release) WrittenName() string {
	value, _ := r.own.doc.Decode()
	object, _ := follow(value, r.own.path)
	name, _ := nested(object, "metadata", "name").(string)
	if name == "" || strings.ContainsAny(name, "$<") {
		return r.Name
	}
	return name
}

// Edits gives the edits that write fields by a patch in the place: of the
// HelmReleases of these names or, without names, of all that it patches. A patch
// for the same releases is extended. There are none that do it for some names
// only in a patch that is for others too.
func (h PatchSite) Edits(set []rules.Edit, names []string) []Edit {
	if h.Extends {
		if len(names) > 0 {
			return nil
		}
		return fieldsOf(h.doc, set)
	}
	value, err := h.doc.Decode()
	if err != nil {
		return nil
	}
	target := map[string]any{"group": release.Group, "kind": "HelmRelease"}
	if len(names) > 0 {
		target["name"] = nameRegexp(names)
	}
	list, _ := follow(value, h.at)
	patches := patchesIn(list, h.at...)
	for _, p := range patches {
		if doc := patchDocument(h.doc, p); doc != nil && sameTarget(p.target, target) {
			return fieldsOf(doc, set)
		}
	}
	entry := map[string]any{"patch": centralText(set), "target": target}
	return []Edit{editOf(field{doc: h.doc, path: append(slices.Clone(h.at), len(patches))}, entry)}
}

func fieldsOf(doc *yamledit.Document, set []rules.Edit) []Edit {
	var edits []Edit
	for _, e := range set {
		edits = append(edits, editOf(field{doc: doc, path: e.Path}, e.Value))
	}
	return edits
}
