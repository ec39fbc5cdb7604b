package policy

import (
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Stood returns a function that reports whether what makes a finding of a release stood in the
// base, although the base could not be built there: no file that decides the finding has
// changed, and nothing else in the change can set a field of the release. In doubt it did not.
//
// A change can set fields of a release by what kustomize and Flux read: patches, variables, a
// folder that is applied in the place of another. It cannot by other releases that are complete,
// by objects of other kinds, and by entries of resources that could not be read.
func Stood(base, now []effective.Input) func(report.Finding) bool {
	change := sync.OnceValue(func() reach { return reachOf(base, now) })
	return func(f report.Finding) bool {
		c := change()
		files := []string{f.File}
		for _, p := range f.Provenance {
			files = append(files, p.File)
		}
		return !c.all && !c.releases[f.Release.Name] &&
			!slices.ContainsFunc(files, func(name string) bool { return c.files[name] })
	}
}

// reach is what a change can set fields of.
type reach struct {
	all      bool            // of any release
	releases map[string]bool // of those of a name
	files    map[string]bool // that have changed
	patches  map[string]bool // base names of files that a kustomization.yaml names outside of its resources
}

func reachOf(base, now []effective.Input) reach {
	r := reach{releases: map[string]bool{}, files: map[string]bool{}, patches: map[string]bool{}}
	for _, in := range slices.Concat(base, now) {
		for _, at := range in.Files.Paths() {
			if isKustomizeFile(at) {
				r.addPatches(first(objectsIn(in.Files.File(at))))
			}
		}
	}
	for _, in := range now {
		for _, at := range in.Files.Paths() {
			r.compare(base, in.Files.Name(at), fileOf(base, in.Files.Name(at)), in.Files.File(at))
		}
	}
	for _, in := range base {
		for _, at := range in.Files.Paths() {
			if name := in.Files.Name(at); fileOf(now, name) == nil {
				r.compare(base, name, in.Files.File(at), nil)
			}
		}
	}
	return r
}

// compare adds what a file can set by what has changed in it; one side may be nil.
func (r *reach) compare(base []effective.Input, name string, old, now *tree.File) {
	if !isManifest(name) || old != nil && now != nil && old.Hash() == now.Hash() {
		return
	}
	r.files[name] = true
	before, after := objectsIn(old), objectsIn(now)
	if isKustomizeFile(name) {
		r.all = r.all || rewired(base, path.Dir(name), first(before), first(after))
		return
	}
	for _, sides := range [][2][]map[string]any{{before, after}, {after, before}} {
		for _, o := range sides[0] {
			if !slices.ContainsFunc(sides[1], func(other map[string]any) bool { return reflect.DeepEqual(o, other) }) {
				r.add(base, o, sides[1], r.patches[path.Base(name)])
			}
		}
	}
}

// add adds what an object can set that only one side has as it is, and whether its file is a
// patch.
func (r *reach) add(base []effective.Input, o map[string]any, other []map[string]any, patch bool) {
	group, _, _ := strings.Cut(object.String(o, "apiVersion"), "/")
	switch kind := object.String(o, "kind"); {
	case object.IsHelmRelease(o) && !patch:
		r.releases[object.Name(o)] = true
	case object.IsKustomization(o):
		r.all = r.all || !repointed(base, o, other)
	case kind == "", kind == "ConfigMap", kind == "Secret", group == "builtin", group == "kustomize.config.k8s.io",
		strings.HasSuffix(group, ".fluxcd.io"), strings.HasSuffix(group, ".controlplane.io"):
		r.all = true
	}
}

// repointed reports whether a Flux Kustomization differs from that of the other side in its path
// alone, and the base has nothing at one of the two paths: it was wrong.
func repointed(base []effective.Input, o map[string]any, other []map[string]any) bool {
	return slices.ContainsFunc(other, func(was map[string]any) bool {
		if object.FullName(was) != object.FullName(o) || !object.IsKustomization(was) {
			return false
		}
		return (dangles(base, o) || dangles(base, was)) && reflect.DeepEqual(withoutPath(o), withoutPath(was))
	})
}

// dangles reports whether the base has nothing at the path of a Flux Kustomization.
func dangles(base []effective.Input, o map[string]any) bool {
	at, _ := object.At(o, "spec", "path").(string)
	at = path.Clean(strings.TrimPrefix(at, "./"))
	return fileOf(base, at) == nil && !isFolder(base, at)
}

// withoutPath returns a Flux Kustomization without its path.
func withoutPath(o map[string]any) map[string]any {
	spec, _ := o["spec"].(map[string]any)
	out := merged(o, nil)
	kept := merged(spec, nil)
	delete(kept, "path")
	out["spec"] = kept
	return out
}

// rewired reports whether a kustomization.yaml may set other fields than before: anything but
// its list of resources differs, or a folder that the base has is no longer in it.
func rewired(base []effective.Input, dir string, old, now map[string]any) bool {
	before, after := entriesIn(old), entriesIn(now)
	for _, entry := range before {
		if !slices.Contains(after, entry) && isFolder(base, path.Join(dir, entry)) {
			return true
		}
	}
	for _, key := range sortedKeys(merged(old, now)) {
		if key != "resources" && key != "apiVersion" && key != "kind" && !reflect.DeepEqual(old[key], now[key]) {
			return true
		}
	}
	return false
}

// addPatches notes the files that a kustomization.yaml reads as anything but resources.
func (r *reach) addPatches(kustomization map[string]any) {
	var visit func(any)
	visit = func(value any) {
		switch value := value.(type) {
		case string:
			r.patches[path.Base(value)] = true
		case []any:
			for _, item := range value {
				visit(item)
			}
		case map[string]any:
			for _, item := range value {
				visit(item)
			}
		}
	}
	for key, value := range kustomization {
		if key != "resources" && key != "components" {
			visit(value)
		}
	}
}

func entriesIn(kustomization map[string]any) []string {
	var out []string
	all, _ := kustomization["resources"].([]any)
	for _, entry := range all {
		if text, ok := entry.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

func isKustomizeFile(name string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, path.Base(name))
}

func isFolder(base []effective.Input, name string) bool {
	return slices.ContainsFunc(base, func(in effective.Input) bool {
		return slices.ContainsFunc(in.Files.Paths(), func(at string) bool { return strings.HasPrefix(in.Files.Name(at), name+"/") })
	})
}

func first(all []map[string]any) map[string]any {
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// objectsIn returns the documents of a file; none of one that is not YAML.
func objectsIn(file *tree.File) []map[string]any {
	if file == nil {
		return nil
	}
	data, err := file.Data()
	if err != nil {
		return nil
	}
	parsed, err := yamledit.Parse(file.Name(), data)
	if err != nil {
		return nil
	}
	var out []map[string]any
	for _, doc := range parsed.Documents {
		if value, err := doc.Decode(); err == nil {
			o, _ := value.(map[string]any)
			out = append(out, o)
		}
	}
	return out
}
