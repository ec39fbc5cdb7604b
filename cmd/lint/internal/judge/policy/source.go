package policy

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// addReaders adds what a source that has changed can set: all of the releases that it holds the
// charts of and, unless it is repaired, what Flux Kustomizations apply of it.
func (r *reach) addReaders(source map[string]any, repaired bool) {
	kind, name := object.String(source, "kind"), object.Name(source)
	for _, file := range filesOf(slices.Concat(r.base, r.now)) {
		for _, o := range objectsIn(file) {
			switch {
			case !refersTo(o, kind, name):
			case object.IsHelmRelease(o):
				r.releases[object.Name(o)] = true
			case !object.IsKustomization(o):
				r.all = true
			case !repaired:
				r.addFolder(pathOf(o))
			}
		}
	}
}

// refersTo reports whether a value refers to an object, or may: by a variable, or in the text of a patch.
func refersTo(value any, kind, name string) bool {
	switch value := value.(type) {
	case string:
		return strings.Contains(value, "Ref") && strings.Contains(value, name)
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return refersTo(item, kind, name) })
	case map[string]any:
		of, is := object.String(value, "name"), object.String(value, "kind")
		if is == kind && of == name || is != "" && strings.Contains(of, "$") {
			return true
		}
		for _, item := range value {
			if refersTo(item, kind, name) {
				return true
			}
		}
	}
	return false
}

// fetchable reports whether a source says where something is fetched from, or needs not say it.
func fetchable(source map[string]any) bool {
	byURL := slices.Contains([]string{"GitRepository", "OCIRepository"}, object.String(source, "kind"))
	return !byURL || object.String(source, "spec", "url") != ""
}

func isSource(o map[string]any) bool {
	group, _, _ := strings.Cut(object.String(o, "apiVersion"), "/")
	return group == object.SourceGroup
}
