package flux

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// asked tells whether a file, as people know it, is in the folder that was
// asked for.
func (l *loader) asked(file string) bool {
	return l.only == "" || within(filepath.Join(l.repo.root, l.only), file)
}

// reach notes what a build has read.
func (l *loader) reach(a *artifact, files []string, kusts []*kustFile) {
	for _, name := range files {
		if rel, ok := a.from[name]; ok {
			l.reached[rel], l.built[rel] = true, true
		}
	}
	for _, k := range kusts {
		for _, p := range k.patches() {
			if rel, ok := a.from[k.resolve(p.file)]; ok && p.file != "" {
				l.reached[rel] = true
			}
		}
	}
}

// fail notes the files of a build that failed, and those of the Kustomizations
// that it would have applied: their releases are not known.
func (l *loader) fail(a *artifact, files []string, reason string) {
	for _, name := range files {
		rel, ok := a.from[name]
		if !ok || l.broken[rel] != "" {
			continue
		}
		l.broken[rel] = reason
		file := l.repo.parse(rel)
		if file == nil {
			continue
		}
		each(file, func(_ *yamledit.Document, object map[string]any) {
			where, _ := nested(object, "spec", "path").(string)
			if dir := clean(where); isKustomization(object) && dir != "" && a.isDir(dir) {
				inner, _ := a.closure(dir)
				l.fail(a, inner, reason)
			}
		})
	}
}

// doubt notes what a Kustomization may apply whose path is known only up to a
// variable: what lies below may be patched in a way that is not known.
func (c *cluster) doubt(k *kustomization) {
	where, _ := nested(k.object, "spec", "path").(string)
	known, _, cut := strings.Cut(markers.ReplaceAllString(where, "$${$1}"), "${")
	dir := path.Dir(clean(known + "x"))
	a, _ := c.source(c.home(k), referenceOf(nested(k.object, "spec", "sourceRef"), k.object))
	if !cut || dir == "." || a == nil || !a.own {
		return
	}
	a = c.l.subOf(a, c.root)
	for name, rel := range a.from {
		if strings.HasPrefix(name, dir+"/") && c.l.broken[rel] == "" {
			c.l.broken[rel] = "may be applied by Kustomization " + k.name() + ", whose path is not known"
		}
	}
}

// remotes reports what must be fetched, once for each cluster that needs it.
func (l *loader) remotes(cluster string, entries []remote) {
	for _, r := range entries {
		r.cluster = cluster
		if l.remote[r] {
			continue
		}
		l.remote[r] = true
		l.undetermined(Undetermined{
			File: r.file, Line: r.line, Cluster: cluster,
			Reason: fmt.Sprintf("%s is not in the tree: what it holds is not known", r.entry),
		})
	}
}

// documentOf gives the place of an object's own document, by its trace.
func (l *loader) documentOf(object map[string]any) (string, int) {
	f, ok := l.tags.get(nested(object, traceKey, docKey))
	if !ok {
		return "", 0
	}
	pos, _ := f.doc.Find(f.path...)
	if len(f.path) == 0 {
		pos.Line = f.doc.Line
	}
	return f.doc.File.Name, pos.Line
}
