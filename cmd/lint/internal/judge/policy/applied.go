package policy

import (
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// addPath adds what a Flux Kustomization applies: anything if its folders are not known. One that only one
// side has, and that applies nothing, sets nothing.
func (r *reach) addPath(o map[string]any, changed bool) {
	at := pathOf(o)
	r.all = r.all || strings.Contains(at, "$") || changed && !has(r.base, at) && !has(r.now, at)
	r.addFolder(at)
	components, _ := object.At(o, "spec", "components").([]any)
	for _, dir := range components {
		text, _ := dir.(string)
		r.addFolder(path.Join(at, text))
	}
}

// addFolder adds all that is written in a folder that a Flux Kustomization applies, and in those
// that it leads to: by a kustomization.yaml, or by another Flux Kustomization. Where it holds
// variables, these are of any release.
func (r *reach) addFolder(dir string) {
	if r.applied[dir] || r.all {
		return
	}
	r.applied[dir] = true
	for name, file := range filesOf(slices.Concat(r.base, r.now)) {
		if !isManifest(name) || dir != "." && name != dir && !strings.HasPrefix(name, dir+"/") {
			continue
		}
		r.files[name] = true
		for _, o := range objectsIn(file) {
			r.addApplied(path.Dir(name), o)
		}
	}
}

func (r *reach) addApplied(dir string, o map[string]any) {
	switch kind := object.String(o, "kind"); {
	case object.IsKustomization(o):
		r.addPath(o, false)
	case kind == "ConfigMap", kind == "Secret":
		r.all = r.all || r.isVariables(object.Name(o))
	}
	for _, entry := range entriesIn(o) {
		if strings.HasPrefix(entry, "..") {
			r.addFolder(path.Join(dir, entry))
		}
	}
	for _, key := range []string{"configMapGenerator", "secretGenerator"} {
		all, _ := o[key].([]any)
		r.all = r.all || slices.ContainsFunc(all, func(g any) bool { return r.isVariables(object.String(g, "name")) })
	}
}

// repointed reports whether a Flux Kustomization differs from that of the other side in nothing
// that can set a field of what it applies, or in its path alone, and the base has nothing at one of
// the two paths: it was misspelt, or what is at the new one is new.
func (r *reach) repointed(o, other map[string]any) bool {
	without := []string{"interval", "retryInterval", "timeout", "wait", "prune", "force", "dependsOn", "healthChecks"}
	if r.misspells(pathOf(o), pathOf(other)) || r.misspells(pathOf(other), pathOf(o)) {
		without = append(without, "path")
	}
	return other != nil && reflect.DeepEqual(o["metadata"], other["metadata"]) &&
		reflect.DeepEqual(specWithout(o, without), specWithout(other, without))
}

// misspells reports whether the base has nothing at a path, and of its folders none whose name is as near as
// another path, or not that one either.
func (r *reach) misspells(name, meant string) bool {
	if has(r.base, name) || !has(r.base, meant) {
		return !has(r.base, name)
	}
	distance := func(to string) int {
		return levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(to))
	}
	limit := distance(meant)
	if limit > 2 || 2*limit >= len(name) {
		return false
	}
	for file := range filesOf(r.base) {
		for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
			if dir != meant && distance(dir) <= limit {
				return false
			}
		}
	}
	return true
}

// has reports whether a state has a file or folder of a name.
func has(in []effective.Input, name string) bool {
	return fileOf(in, name) != nil || isFolder(in, name)
}

func pathOf(o map[string]any) string {
	return path.Clean(strings.TrimPrefix(object.String(o, "spec", "path"), "./"))
}

// specWithout returns spec of an object without some fields.
func specWithout(o map[string]any, fields []string) map[string]any {
	spec, _ := o["spec"].(map[string]any)
	out := map[string]any{}
	maps.Copy(out, spec)
	for _, field := range fields {
		delete(out, field)
	}
	return out
}
