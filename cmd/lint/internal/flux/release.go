package flux

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// failureFields are the fields of spec that decide what a failure does.
var failureFields = []string{
	"driftDetection", "install", "interval", "maxHistory", "rollback", "suspend",
	"test", "timeout", "uninstall", "upgrade", "waitStrategy",
}

// releases takes in what a cluster would run.
func (l *loader) releases(c *cluster) {
	seen, controllers := map[string]bool{}, map[string]release.Controller{}
	for name := range c.objects {
		controllers[name] = c.controllerOf(name)
	}
	for _, f := range c.releases {
		trace, _ := f.object[traceKey].(map[string]any)
		object := maps.Clone(f.object)
		delete(object, traceKey)
		name := c.runner(f.by)
		key := name + nameOf(object) + fmt.Sprint(object["spec"])
		if seen[key] {
			continue
		}
		seen[key] = true
		release := l.origin(f, object, trace)
		if !l.asked(release.File) && !l.asked(l.repo.name(c.dir)) || l.opts.Config.Ignores(l.opts.configPath(release.File, l.rel(release.File))) {
			continue
		}
		unknown := unknownFields(object, f.reasons, c.bare())
		restore(object)
		place, e := c.evidence(f, object, l.rel(release.File))
		l.add(release, object, unknown, place, e, controllers[name])
	}
}

// bare tells whether it is a folder that nothing in the tree applies, so that
// the variables in it are not known.
func (c *cluster) bare() bool { return c.entries[0].folder }

// origin finds the release's own document.
func (l *loader) origin(f found, object, trace map[string]any) *Release {
	release := &Release{tags: l.tags, trace: trace, loader: l}
	for _, k := range f.by.chain() {
		if !k.folder {
			release.AppliedBy = append(release.AppliedBy, Writer{What: "Kustomization " + k.name(), File: k.file, Line: k.line})
		}
		release.chain = append(release.chain, k)
	}
	if own, ok := l.tags.get(trace[docKey]); ok {
		release.own = own
	} else if own, ok := l.tags.get(nested(f.template, traceKey, docKey)); ok {
		own.path = []any{"spec", "resourcesTemplate"}
		release.own = own
	} else {
		release.own = l.guess(f, object)
	}
	if release.own.doc == nil {
		release.File, release.Line = f.by.file, f.by.line
		return release
	}
	release.File, release.Line = release.own.doc.File.Name, release.own.doc.Line
	if len(release.own.path) > 0 {
		pos, _ := release.own.doc.Find(release.own.path...)
		release.Line = pos.Line
	}
	return release
}

// guess finds the document of a release that has no trace: one of its name
// among the files of the build.
func (l *loader) guess(f found, object map[string]any) field {
	files, _ := f.by.source.closure(f.by.dir)
	name, _ := nested(object, "metadata", "name").(string)
	for _, file := range files {
		for _, w := range l.docs[f.by.source.from[file]] {
			if written, _ := nested(w.object, "metadata", "name").(string); strings.Contains(name, written) {
				return field{doc: w.doc, writer: &writer{}}
			}
		}
	}
	return field{}
}

// evidence collects what can decide the tier of a release of the cluster, and
// where the release is.
func (c *cluster) evidence(f found, object map[string]any, rel string) (rules.Place, release.Evidence) {
	namespace, _ := nested(object, "metadata", "namespace").(string)
	name := c.runner(f.by)
	e := release.Evidence{
		Object: object, Namespace: c.objects[name]["Namespace/"+namespace].object,
		Cluster: release.Cluster{Name: name}, Variables: map[string]string{},
	}
	if own := (release.Cluster{Name: c.name, Folder: c.dir}); name == c.name {
		e.Cluster = own
	} else {
		e.Hub = own
	}
	for _, k := range slices.Backward(inside(f.by)) {
		maps.Copy(e.Variables, k.vars.values)
		e.Folders = append(e.Folders, path.Join(c.root, k.dir))
	}
	e.Folders = append(e.Folders, path.Dir(rel))
	return rules.Place{Path: c.l.opts.configPath(c.l.repo.name(rel), rel), Namespace: namespace, Cluster: name}, e
}

// rel gives the path of a file relative to the root.
func (l *loader) rel(file string) string {
	rel, err := filepath.Rel(l.repo.root, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

// unknownFields finds the failure settings whose value depends on what is not
// in the tree, with the reason. In an object that nothing in the tree applies,
// a variable that is still written out is such a value.
func unknownFields(object map[string]any, reasons map[string]string, bare bool) map[string]string {
	out := map[string]string{}
	visit := func(at release.Path, v any) {
		if reason := unknownReason(v, reasons, bare); reason != "" {
			out[at.String()] = reason
		}
	}
	for _, name := range failureFields {
		leaves(release.Path{"spec", name}, nested(object, "spec", name), visit)
	}
	for _, at := range []release.Path{{"metadata", "name"}, {"metadata", "namespace"}, {"spec", "chart", "spec", "chart"}, {"spec", "chartRef", "name"}} {
		v, _ := follow(object, at)
		visit(at, v)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func unknownReason(v any, reasons map[string]string, bare bool) string {
	text, _ := v.(string)
	names := unknownIn(text)
	switch {
	case len(names) > 0 && reasons[names[0]] != "":
		return fmt.Sprintf("depends on the variable %s: %s", names[0], reasons[names[0]])
	case len(names) > 0:
		return fmt.Sprintf("depends on the variable %s, whose value is not in the tree", names[0])
	case bare && variableUse.MatchString(text):
		return "depends on a variable, and nothing in the tree applies the release"
	}
	return ""
}

// leaves calls f for every scalar below v.
func leaves(at release.Path, v any, f func(release.Path, any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			leaves(append(slices.Clone(at), key), v[key], f)
		}
	case []any:
		for i, item := range v {
			leaves(append(slices.Clone(at), i), item, f)
		}
	case nil:
	default:
		f(at, v)
	}
}

// restore writes the variables out again where a marker stands for their value.
func restore(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			v[key] = restore(v[key])
		}
	case []any:
		for i := range v {
			v[i] = restore(v[i])
		}
	case string:
		return markers.ReplaceAllString(v, "$${$1}")
	}
	return v
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
