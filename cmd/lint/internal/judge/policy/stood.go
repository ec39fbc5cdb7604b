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
	fields    map[string][]release.Path // these of those of a name; without one, of any
	files     map[string]bool           // of what is written in them
	names
	applied map[string]bool // folders that are added, see addFolder
}

func reachOf(base, now []effective.Input) reach {
	r := reach{
		base: base, now: now, releases: map[string]bool{}, fields: map[string][]release.Path{}, files: map[string]bool{},
		applied: map[string]bool{}, names: names{named: map[string]bool{}, generated: map[string][]string{}, variables: map[string]bool{}},
	}
	for _, file := range filesOf(slices.Concat(base, now)) {
		r.readNames(file)
	}
	for name, file := range filesOf(now) {
		r.compare(name, fileOf(base, name), file)
	}
	for name, file := range filesOf(base) {
		if fileOf(now, name) == nil {
			r.compare(name, file, nil)
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
	others, othersNow := r.addSets(before, after)
	if len(others) < len(before) && reflect.DeepEqual(others, othersNow) {
		return
	}
	before, after = others, othersNow
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
	return slices.ContainsFunc(slices.Concat(r.fields[f.Release.Name], r.fields[""]), func(at release.Path) bool {
		return isTime(at) && f.Category == "timing" ||
			slices.ContainsFunc(about, func(of string) bool { return of == section(at) || of == "spec" })
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
