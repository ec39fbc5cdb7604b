package flux

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// clusters finds the entries of the tree: what Flux was bootstrapped with, or
// failing that the Flux Kustomizations that nothing else applies.
func (l *loader) clusters() []*cluster {
	var out []*cluster
	for _, rel := range l.repo.files {
		if !isManifest(rel) {
			continue
		}
		for _, c := range l.entriesIn(rel) {
			if !slices.ContainsFunc(out, func(o *cluster) bool { return sameEntry(o, c) }) {
				out = append(out, c)
			}
		}
	}
	unique(out, nil)
	for _, c := range out {
		for _, o := range out {
			if o != c && o.folder() != "" {
				c.others = append(c.others, o.folder())
			}
		}
	}
	return out
}

// folder gives the folder of the tree that the entry applies: its path, in the
// part of the tree that its file is in.
func (c *cluster) folder() string {
	where := c.path()
	before, _, ok := strings.Cut("/"+path.Dir(c.file)+"/", "/"+where+"/")
	if !ok {
		return where
	}
	return path.Join(strings.TrimPrefix(before, "/"), where)
}

// entriesIn finds the entries that a file stands for.
func (l *loader) entriesIn(rel string) []*cluster {
	file := l.repo.parse(rel)
	if path.Base(rel) == "gotk-sync.yaml" {
		return l.bootstrapped(rel, file)
	}
	if file == nil {
		return nil
	}
	var out []*cluster
	each(file, func(doc *yamledit.Document, object map[string]any) {
		if instance := instanceIn(object); instance != nil {
			if c := l.instance(rel, doc, instance); c != nil {
				c.instance = object["kind"] == "FluxInstance"
				out = append(out, c)
			}
		}
	})
	return out
}

// bootstrapped reads a gotk-sync.yaml. In a template of a fleet it may hold no
// more than a comment: then its place says what it will hold.
func (l *loader) bootstrapped(rel string, file *yamledit.File) []*cluster {
	var out []*cluster
	if file != nil {
		each(file, func(doc *yamledit.Document, object map[string]any) {
			if isKustomization(object) && nested(object, "spec", "sourceRef") != nil {
				c := l.cluster(rel, doc, object)
				c.bootstrapped = true
				out = append(out, c)
			}
		})
	}
	if len(out) > 0 {
		return out
	}
	dir := path.Dir(rel)
	if path.Base(dir) == "flux-system" {
		dir = path.Dir(dir)
	}
	c := l.cluster(rel, nil, syncObject("GitRepository", "flux-system", "flux-system", dir))
	c.bootstrapped = true
	return []*cluster{c}
}

// syncObject is the Kustomization that Flux makes of a sync path.
func syncObject(kind, namespace, name, dir string) map[string]any {
	return map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
		"metadata": map[string]any{"name": name, "namespace": namespace},
		"spec": map[string]any{
			"path":      "./" + strings.TrimPrefix(dir, "./"),
			"sourceRef": map[string]any{"kind": kind, "name": name},
		},
	}
}

// cluster makes the cluster of an entry that a file describes.
func (l *loader) cluster(rel string, doc *yamledit.Document, object map[string]any) *cluster {
	where, _ := nested(object, "spec", "path").(string)
	k := &kustomization{object: object, file: l.repo.name(rel), line: 1}
	if doc != nil {
		k.object, k.line = l.traced(rel, object), doc.Line
	}
	return &cluster{
		l: l, file: rel, name: entryName(clean(where), rel), entries: []*kustomization{k},
		own: referenceOf(nested(object, "spec", "sourceRef"), object),
	}
}

// traced gives an object of a file with its trace, as a build would have it.
func (l *loader) traced(rel string, object map[string]any) map[string]any {
	out := object
	a, _ := l.selfArtifact("")
	if a == nil {
		return out
	}
	data, err := os.ReadFile(filepath.Join(a.dir, rel))
	if err != nil {
		return out
	}
	file, err := yamledit.Parse(rel, data)
	if err != nil {
		return out
	}
	each(file, func(_ *yamledit.Document, candidate map[string]any) {
		if candidate["kind"] == object["kind"] && nameOf(candidate) == nameOf(object) {
			out = candidate
		}
	})
	return out
}

// instanceIn gives the spec of a FluxInstance: of the object itself, or of the
// values that a chart makes it of, in a HelmRelease or in a values file.
func instanceIn(object map[string]any) map[string]any {
	var spec map[string]any
	switch {
	case isKind(object, resourceSetGroup, "FluxInstance"):
		spec, _ = object["spec"].(map[string]any)
	case isKind(object, release.Group, "HelmRelease"):
		spec, _ = nested(object, "spec", "values", "instance").(map[string]any)
	case object["kind"] == nil:
		spec, _ = object["instance"].(map[string]any)
	}
	for _, field := range []string{"distribution", "sync", "kustomize"} {
		if _, ok := spec[field].(map[string]any); ok {
			return spec
		}
	}
	return nil
}

func (l *loader) instance(rel string, doc *yamledit.Document, spec map[string]any) *cluster {
	text := func(keys ...string) string { s, _ := nested(spec, keys...).(string); return s }
	kind, name := text("sync", "kind"), text("sync", "name")
	if kind == "" {
		kind = "GitRepository"
	}
	if name == "" {
		name = "flux-system"
	}
	where := text("sync", "path")
	if nested(spec, "sync", "path") == nil || strings.Contains(where, "${") || strings.Contains(where, "{{") {
		return nil
	}
	entry := syncObject(kind, "flux-system", name, where)
	patched := patchInstance(l.tmp, spec, entry)
	c := l.cluster(rel, doc, patched.entry)
	c.controller = patched.controller
	return c
}
