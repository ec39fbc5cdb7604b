package policy

import (
	"bytes"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Stood returns a function that reports whether what makes a finding of a release stood in the
// base, although the base could not be read or built there: no file that decides the finding has
// changed, and nothing else in the change can set a field of the release. In doubt it did not.
//
// A change can set fields of a release by what kustomize and Flux read: patches, variables, what a
// Flux Kustomization applies and how. It cannot by other releases that are complete, by objects of
// other kinds, by sources that only one side has or that nothing could be fetched from, and by entries
// of resources that could not be read. Of a file that could not be read, what stands beside the mistake
// was there; of a file that is listed or no longer listed, what is in it was not.
func Stood(base, now []effective.Input) func(report.Finding) bool {
	change := sync.OnceValue(func() reach { return reachOf(base, now) })
	return func(f report.Finding) bool {
		c := change()
		files := []string{f.File}
		for _, p := range f.Provenance {
			files = append(files, p.File)
		}
		return !c.all && !c.releases[f.Release.Name] && !c.mends(f) &&
			!slices.ContainsFunc(files, func(name string) bool { return c.files[name] })
	}
}

// reach is what a change can set fields of.
type reach struct {
	base, now []effective.Input
	all       bool                      // of any release
	values    bool                      // values of any release
	releases  map[string]bool           // of those of a name
	fields    map[string][]release.Path // these of those of a name
	files     map[string]bool           // of what is written in them
	named     map[string]bool           // base names of files that a kustomization.yaml names outside of its resources
	generated map[string][]string       // by the base name of a file, the names of what is generated of it
	variables map[string]bool           // names of ConfigMaps and Secrets that Flux Kustomizations substitute from
	applied   map[string]bool           // folders that are added, see addFolder
}

func reachOf(base, now []effective.Input) reach {
	r := reach{
		base: base, now: now, releases: map[string]bool{}, fields: map[string][]release.Path{}, files: map[string]bool{},
		named: map[string]bool{}, generated: map[string][]string{}, variables: map[string]bool{}, applied: map[string]bool{},
	}
	for _, in := range slices.Concat(base, now) {
		for _, at := range in.Files.Paths() {
			r.readNames(in.Files.File(at))
		}
	}
	for _, in := range now {
		for _, at := range in.Files.Paths() {
			r.compare(in.Files.Name(at), fileOf(base, in.Files.Name(at)), in.Files.File(at))
		}
	}
	for _, in := range base {
		for _, at := range in.Files.Paths() {
			if name := in.Files.Name(at); fileOf(now, name) == nil {
				r.compare(name, in.Files.File(at), nil)
			}
		}
	}
	return r
}

// compare adds what a file can set by what has changed in it; one side may be nil.
func (r *reach) compare(name string, old, now *tree.File) {
	if old != nil && now != nil && old.Hash() == now.Hash() {
		return
	}
	generated := r.generated[path.Base(name)]
	missing := old == nil && len(generated) > 0 && !slices.ContainsFunc(generated, r.isVariables)
	r.values = r.values || missing
	r.all = r.all || r.named[path.Base(name)] || slices.Contains(excluding, path.Base(name)) || len(generated) > 0 && !missing
	if r.all || missing || !isManifest(name) && !isKustomizeFile(name) {
		return
	}
	before, mended := objectsIn(old), false
	after := objectsIn(now)
	if mistake(old) > 0 && mistake(now) == 0 {
		if before, mended = withoutMistakes(old); !mended {
			r.addAnew(before, after)
			return
		}
	}
	if isKustomizeFile(name) {
		r.files[name] = true
		r.rewire(path.Dir(name), first(before), first(after), linesOf(old, mended))
		return
	}
	r.files[name] = r.files[name] || !mended
	for _, sides := range [][2][]map[string]any{{before, after}, {after, before}} {
		for _, o := range sides[0] {
			if !slices.ContainsFunc(sides[1], func(other map[string]any) bool { return reflect.DeepEqual(o, other) }) {
				r.add(name, o, twin(o, sides[1]), mended)
			}
		}
	}
}

// addAnew adds what a file can set that could not be read, in lines that may mean anything: anything, unless it holds
// Flux Kustomizations alone, which set nothing but what they apply.
func (r *reach) addAnew(before, after []map[string]any) {
	all := slices.Concat(before, after)
	if len(before) == 0 || slices.ContainsFunc(all, func(o map[string]any) bool { return !object.IsKustomization(o) }) {
		r.all = true
		return
	}
	for _, o := range all {
		r.addPath(o, true)
	}
}

// excluding are the files that decide which others Flux gets, and with which content.
var excluding = []string{".sourceignore", ".gitattributes", ".gitmodules"}

// twin returns the object of the same kind and name; nil if there is none.
func twin(o map[string]any, all []map[string]any) map[string]any {
	i := slices.IndexFunc(all, func(other map[string]any) bool {
		return object.FullName(other) == object.FullName(o) && object.String(other, "kind") == object.String(o, "kind")
	})
	if i < 0 {
		return nil
	}
	return all[i]
}

// add adds what an object of a file can set that only one side has as it is. Other is what the
// other side has of its name; in a mended file they differ in what could not be read, too.
func (r *reach) add(name string, o, other map[string]any, mended bool) {
	group, _, _ := strings.Cut(object.String(o, "apiVersion"), "/")
	switch kind := object.String(o, "kind"); {
	case o[listed] != nil, r.installs(o):
		r.all = true
	case object.IsHelmRelease(o) && mended && other != nil:
		differences(nil, o, other, func(at []any, _, _ string) {
			r.fields[object.Name(o)] = append(r.fields[object.Name(o)], at)
		})
	case object.IsHelmRelease(o):
		r.releases[object.Name(o)] = true
	case object.IsKustomization(o):
		r.files[name] = true
		if !r.repointed(o, other) {
			r.addPath(o, other != nil)
		}
	case isSource(o) && other == nil: // to add one changes nothing of what others hold
	case isSource(o):
		r.addReaders(o, !fetchable(o) || !fetchable(other))
	case kind == "ConfigMap", kind == "Secret":
		r.all = r.all || r.isVariables(object.Name(o))
	case kind == "Namespace": // its labels are those of its releases, too
		r.all = r.all || !reflect.DeepEqual(object.At(o, "metadata", "labels"), object.At(other, "metadata", "labels"))
	case group == "builtin", group == "kustomize.config.k8s.io",
		strings.HasSuffix(group, ".fluxcd.io"), strings.HasSuffix(group, ".controlplane.io"):
		r.all = true
	}
}

// installs reports whether an object decides which controllers there are, how they run, or what the API knows.
func (r *reach) installs(o map[string]any) bool {
	kind := object.String(o, "kind")
	return kind == "CustomResourceDefinition" || kind == "Deployment" && strings.Contains(object.Name(o), "-controller") ||
		object.IsHelmRelease(o) && strings.HasPrefix(release.ChartName(o), "flux")
}

// addPath adds what a Flux Kustomization applies: anything if its folders are not known. One that only one
// side has, and that applies nothing, sets nothing.
func (r *reach) addPath(o map[string]any, changed bool) {
	at := pathOf(o)
	r.all = r.all || strings.Contains(at, "$") || changed && !r.has(r.base, at) && !r.has(r.now, at)
	r.addFolder(at)
	components, _ := object.At(o, "spec", "components").([]any)
	for _, dir := range components {
		text, _ := dir.(string)
		r.addFolder(path.Join(at, text))
	}
}

// mends reports whether a finding is about a field that could not be read, or may follow from the chart.
func (r *reach) mends(f report.Finding) bool {
	if r.values && (section(f.Steps) == "spec.values" || f.Category == "data-safety") {
		return true
	}
	about := []string{"spec.chart", "spec.chartRef", section(f.Steps)}
	if f.Fix != nil && len(f.Fix.Set) > 0 {
		about = about[:2]
		for _, e := range f.Fix.Set {
			if e.Object == "" {
				about = append(about, section(e.Path))
			}
		}
	}
	return slices.ContainsFunc(r.fields[f.Release.Name], func(at release.Path) bool {
		return slices.ContainsFunc(about, func(of string) bool { return of == section(at) || of == "spec" })
	})
}

// section names the first two steps of a path.
func section(at release.Path) string { return at[:min(2, len(at))].String() }

// linesOf returns the lines of a file, without what they begin and end with, if they are asked for.
func linesOf(file *tree.File, asked bool) (out []string) {
	if !asked {
		return nil
	}
	data, _ := file.Data()
	for text := range strings.Lines(string(data)) {
		out = append(out, strings.TrimSpace(text))
	}
	return out
}

// addFolder adds all that is written in a folder that a Flux Kustomization applies, and in those
// that it leads to: by a kustomization.yaml, or by another Flux Kustomization. Where it holds
// variables, these are of any release.
func (r *reach) addFolder(dir string) {
	if r.applied[dir] || r.all {
		return
	}
	r.applied[dir] = true
	for _, in := range slices.Concat(r.base, r.now) {
		for _, at := range in.Files.Paths() {
			name := in.Files.Name(at)
			if !isManifest(name) || dir != "." && name != dir && !strings.HasPrefix(name, dir+"/") {
				continue
			}
			r.files[name] = true
			for _, o := range objectsIn(in.Files.File(at)) {
				r.addApplied(path.Dir(name), o)
			}
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

// addReaders adds what a source that has changed can set: all of the releases that it holds the
// charts of and, unless it is repaired, what Flux Kustomizations apply of it.
func (r *reach) addReaders(source map[string]any, repaired bool) {
	kind, name := object.String(source, "kind"), object.Name(source)
	for _, in := range slices.Concat(r.base, r.now) {
		for _, at := range in.Files.Paths() {
			for _, o := range objectsIn(in.Files.File(at)) {
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
	if r.has(r.base, name) || !r.has(r.base, meant) {
		return !r.has(r.base, name)
	}
	distance := func(to string) int {
		return levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(to))
	}
	limit := distance(meant)
	return limit <= 2 && 2*limit < len(name) && !slices.ContainsFunc(r.base, func(in effective.Input) bool {
		return slices.ContainsFunc(in.Files.Paths(), func(at string) bool {
			for dir := path.Dir(in.Files.Name(at)); dir != "." && dir != "/"; dir = path.Dir(dir) {
				if dir != meant && distance(dir) <= limit {
					return true
				}
			}
			return false
		})
	})
}

// has reports whether a state has a file or folder of a name.
func (r *reach) has(in []effective.Input, name string) bool {
	return fileOf(in, name) != nil || isFolder(in, name)
}

func pathOf(o map[string]any) string {
	return path.Clean(strings.TrimPrefix(object.String(o, "spec", "path"), "./"))
}

// specWithout returns spec of an object without some fields.
func specWithout(o map[string]any, fields []string) map[string]any {
	spec, _ := o["spec"].(map[string]any)
	spec = merged(spec, nil)
	for _, field := range fields {
		delete(spec, field)
	}
	return spec
}

func isSource(o map[string]any) bool {
	group, _, _ := strings.Cut(object.String(o, "apiVersion"), "/")
	return group == object.SourceGroup
}

// rewire adds what a kustomization.yaml can set by what differs in it: anything, unless that is its list of
// resources alone. What is in a file or folder that is listed on one side is as good as there on this side alone.
// Lines are those of the old file if it could not be read: an entry that is one of them was listed.
func (r *reach) rewire(dir string, old, now map[string]any, lines []string) {
	for _, key := range sortedKeys(merged(old, now)) {
		r.all = r.all || key != listed && key != "resources" && key != "apiVersion" && key != "kind" && !reflect.DeepEqual(old[key], now[key])
	}
	before, after := entriesIn(old), entriesIn(now)
	for _, entry := range before {
		at := path.Join(dir, entry)
		r.all = r.all || (isFolder(r.base, at) || isKustomizeFile(at)) && !slices.Contains(after, entry)
		if file := fileOf(r.base, at); file != nil && !slices.Contains(after, entry) {
			r.compare(at, file, nil)
		}
	}
	for _, entry := range after {
		at := path.Join(dir, entry)
		r.all = r.all || isKustomizeFile(at)
		switch file := fileOf(r.now, at); {
		case slices.Contains(before, entry), slices.Contains(lines, "- "+entry): // it was listed
		case file != nil:
			r.compare(at, nil, file)
		default:
			r.addFolder(at)
		}
	}
}

// readNames notes what a file names: the files that a kustomization.yaml reads as anything but
// resources, those that a transformer reads, and, by their names in its text, objects that variables are
// substituted from.
func (r *reach) readNames(file *tree.File) {
	data, _ := file.Data()
	if bytes.Contains(data, []byte(substituteFrom)) && (isKustomizeFile(file.Name()) || isManifest(file.Name())) {
		r.readVariables(data)
	}
	if isKustomizeFile(file.Name()) {
		readable, _ := withoutMistakes(file)
		r.addNamed(first(readable))
		return
	}
	if !isManifest(file.Name()) {
		return
	}
	if bytes.Contains(data, []byte("builtin")) {
		for _, o := range objectsOf(data) {
			r.addNamed(o)
		}
	}
}

// substituteFrom is the field of a Flux Kustomization that names objects with variables.
const substituteFrom = "substituteFrom"

// readVariables notes the objects that a file names to substitute variables from: all names in it if it cannot be read.
func (r *reach) readVariables(data []byte) {
	if mistakeIn(data) > 0 {
		r.addNames(string(data))
		return
	}
	for _, o := range objectsOf(data) {
		r.addVariables(o, false)
	}
}

// addVariables notes the names in what is written of the field: as a key, as the path of a JSON patch, or in the text of
// a patch. Inside says that all names count.
func (r *reach) addVariables(value any, inside bool) {
	switch value := value.(type) {
	case string:
		if strings.Contains(value, substituteFrom) {
			r.addNames(value)
		}
	case []any:
		for _, item := range value {
			r.addVariables(item, inside)
		}
	case map[string]any:
		at, _ := value["path"].(string)
		inside = inside || strings.Contains(at, substituteFrom)
		for key, item := range value {
			if name, is := item.(string); is && inside && key == "name" {
				r.variables[name] = true
			}
			r.addVariables(item, inside || key == substituteFrom)
		}
	}
}

// addNames notes all names in a text.
func (r *reach) addNames(text string) {
	for _, m := range nameField().FindAllStringSubmatch(text, -1) {
		r.variables[m[1]] = true
	}
}

// nameField matches the name of an object in YAML, or what stands for one: an alias, a variable, a block.
var nameField = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bname["']?\s*:\s*(?:&\S+\s+)?["']?([^\s"',}]+)`)
})

// isVariables reports whether variables may be substituted from an object of a name, which may get a prefix.
func (r *reach) isVariables(name string) bool {
	for known := range r.variables {
		if strings.Trim(known, "-._"+alphanumeric) != "" || strings.Contains(known, name) {
			return true
		}
	}
	return strings.Contains(name, "$") && len(r.variables) > 0
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func (r *reach) addNamed(kustomization map[string]any) {
	for key, value := range kustomization {
		switch key {
		case "resources", "components":
		case "configMapGenerator", "secretGenerator":
			all, _ := value.([]any)
			for _, of := range all {
				texts(of, func(text string) {
					r.generated[fileIn(text)] = append(r.generated[fileIn(text)], object.String(of, "name"))
				})
			}
		default:
			texts(value, func(text string) { r.named[fileIn(text)] = true })
		}
	}
}

// fileIn returns the base name of FILE or KEY=FILE.
func fileIn(text string) string { return path.Base(text[strings.LastIndex(text, "=")+1:]) }

// texts calls a function with all strings in a value.
func texts(value any, each func(string)) {
	switch value := value.(type) {
	case string:
		each(value)
	case []any:
		for _, item := range value {
			texts(item, each)
		}
	case map[string]any:
		for _, item := range value {
			texts(item, each)
		}
	}
}

// entriesIn returns what a kustomization.yaml lists to be built.
func entriesIn(kustomization map[string]any) []string {
	var out []string
	for _, key := range []string{"resources", "bases", "components"} {
		all, _ := kustomization[key].([]any)
		for _, entry := range all {
			if text, ok := entry.(string); ok {
				out = append(out, text)
			}
		}
	}
	return out
}

func isKustomizeFile(name string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, path.Base(name))
}

func isFolder(base []effective.Input, name string) bool {
	return name == "." || slices.ContainsFunc(base, func(in effective.Input) bool {
		return slices.ContainsFunc(in.Files.Paths(), func(at string) bool { return strings.HasPrefix(in.Files.Name(at), name+"/") })
	})
}

func first(all []map[string]any) map[string]any {
	if len(all) == 0 {
		return nil
	}
	return all[0]
}
