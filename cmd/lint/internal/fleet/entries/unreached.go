package entries

import (
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Unreached returns clusters for the Flux Kustomizations that no build has read, or for
// the folders that list them in a kustomization.yaml: only the outermost ones.
func (w *Finder) Unreached() []*Cluster {
	patches := w.PatchFiles()
	open := slices.DeleteFunc(slices.Clone(w.Index.Kustomizations()), func(k manifests.Written) bool {
		return patches[k.Path] || w.Coverage.Consumed[k.Path] || w.Coverage.Broken[k.Path] != "" || tree.Hidden(k.Path) ||
			manifests.TemplateOf(w.Index, k.Path, func() bool { return manifests.Parses(k.Doc.File, nil) }) != ""
	})
	if len(open) == 0 {
		return nil
	}
	out, listed := w.listing(open)
	unlisted := slices.DeleteFunc(open, func(k manifests.Written) bool { return listed[k.Path] })
	return outermost(append(out, w.sameFolder(unlisted)...))
}

// PatchFiles returns the files that a kustomization.yaml uses as patches: what is written
// there is no object of its own.
func (w *Finder) PatchFiles() map[string]bool {
	out := map[string]bool{}
	for _, k := range w.Index.Packed("").Kusts() {
		for _, name := range k.PatchFiles() {
			out[name] = true
		}
	}
	return out
}

// listing returns a cluster for each folder whose kustomization.yaml lists Kustomizations,
// and the files that builds of these folders read.
func (w *Finder) listing(open []manifests.Written) (out []*Cluster, listed map[string]bool) {
	listed = map[string]bool{}
	for _, dir := range w.KustRoots() {
		files := w.Index.Packed("").Walk(dir, nil).Files
		if !slices.ContainsFunc(open, func(k manifests.Written) bool { return slices.Contains(files, k.Path) }) {
			continue
		}
		out = append(out, w.clusterOfFolder(dir, files, open))
		for _, file := range files {
			listed[file] = true
		}
	}
	return out, listed
}

// sameFolder returns one cluster for all Kustomizations in a folder.
func (w *Finder) sameFolder(open []manifests.Written) []*Cluster {
	var out []*Cluster
	byDir := map[string]*Cluster{}
	for _, k := range open {
		dir := path.Dir(k.Path)
		if c := byDir[dir]; c != nil {
			c.Entries = append(c.Entries, w.entry(k))
			c.Files, c.leads = append(c.Files, k.Path), append(c.leads, w.lead(k))
			continue
		}
		c := w.cluster(k, UnknownApplier)
		c.Name, c.Dir = clusterName(dir), dir
		byDir[dir] = c
		out = append(out, c)
	}
	return out
}

// clusterOfFolder returns the cluster of a folder that lists Kustomizations. Its entry is
// the Kustomization that builds this same folder, which somebody applied by hand, or else
// the folder. Of several the one of this repository is the entry: another may apply the folder of
// the same name of another repository.
func (w *Finder) clusterOfFolder(dir string, files []string, open []manifests.Written) *Cluster {
	entries := slices.DeleteFunc(slices.Clone(open), func(k manifests.Written) bool {
		built := object.Path(k.Object)
		return !slices.Contains(files, k.Path) || built == "" || dir != built && !strings.HasSuffix(dir, "/"+built)
	})
	if len(entries) > 0 {
		own := slices.IndexFunc(entries, func(k manifests.Written) bool { return sources.Ref(k.Object) == sources.Main(w.Index) })
		c := w.cluster(entries[max(own, 0)], UnknownApplier)
		c.Name, c.Dir = clusterName(dir), dir
		return c
	}
	c := w.Folder(dir, clusterName(dir))
	for _, k := range open {
		if slices.Contains(files, k.Path) {
			c.leads = append(c.leads, w.lead(k))
		}
	}
	return c
}

// Folder returns a cluster whose entry is a folder.
func (w *Finder) Folder(dir, name string) *Cluster {
	source := w.Index.Packed("")
	k := &Kustomization{
		Object: map[string]any{"metadata": map[string]any{"name": dir}, "spec": map[string]any{}},
		Source: source, Dir: dir, Folder: true, File: w.Index.Files.Name(dir), Line: 1,
	}
	if kust := source.KustFileIn(dir); kust != nil {
		k.File = kust.Doc.File.Name
	}
	file := path.Join(dir, "kustomization.yaml")
	return &Cluster{
		Name: name, File: file, Dir: dir, Found: Unapplied,
		Entries: []*Kustomization{k}, Files: []string{file}, leads: []string{dir},
	}
}

// KustRoots lists the folders whose kustomization.yaml no build has read and no other one
// lists, and that hold a HelmRelease, a Flux Kustomization or a ResourceSet.
func (w *Finder) KustRoots() []string {
	source, named := w.Index.Packed(""), map[string]bool{}
	for _, k := range source.Kusts() {
		for _, entry := range k.Folders() {
			named[entry] = true
		}
	}
	var out []string
	for _, k := range source.Kusts() {
		dir := path.Dir(k.Path)
		taken := k.Component || named[dir] || w.Coverage.Consumed[k.Path] || w.Coverage.Broken[k.Path] != "" || tree.Hidden(k.Path)
		if !taken && w.holdsFlux(source, dir) {
			out = append(out, dir)
		}
	}
	return out
}

func (w *Finder) holdsFlux(source *build.Source, dir string) bool {
	return slices.ContainsFunc(source.Walk(dir, nil).Files, func(name string) bool {
		file := w.Index.Parse(name)
		if file == nil || build.IsKustFile(name) {
			return false
		}
		sets, found := w.Index.Look(name).Release, false
		object.Each(file, func(_ *yamledit.Document, obj map[string]any) {
			found = found || object.IsTraced(obj) || sets && object.IsResourceSet(obj)
		})
		return found
	})
}
