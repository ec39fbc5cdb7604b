package entries

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Finder finds the entries of the clusters of a tree.
type Finder struct {
	Index    *manifests.Index
	Coverage *manifests.Coverage
}

// syncFile is the name of the file that flux bootstrap writes an entry to.
const syncFile = "gotk-sync.yaml"

// Entries returns the clusters of the tree: those that are declared, and one for each
// other entry that flux bootstrap wrote or a FluxInstance describes.
func (w *Finder) Entries(declared []Declared) []*Cluster {
	first := w.declaredClusters(declared)
	out := withoutApplied(w.Index, w.written(first))
	NameApart(out, first)
	out = append(first, out...)
	for _, c := range out {
		for _, o := range out {
			if o != c && o.Folder() != "" {
				c.others = append(c.others, o.Folder())
			}
		}
	}
	return out
}

// written returns the clusters whose entries are in files, but for those of other
// clusters.
func (w *Finder) written(others []*Cluster) []*Cluster {
	var out []*Cluster
	for _, name := range w.Index.Files.Paths() {
		if !build.IsManifest(name) {
			continue
		}
		for _, c := range w.entriesIn(name) {
			if i := slices.IndexFunc(others, func(o *Cluster) bool { return o.Folder() == c.Folder() }); i >= 0 {
				others[i].install(c.Installs)
			} else if i := slices.IndexFunc(out, func(o *Cluster) bool { return sameEntry(o, c) }); i >= 0 {
				out[i] = joined(out[i], c)
			} else {
				out = append(out, c)
			}
		}
	}
	return out
}

// joined returns one of two clusters that are the same. What flux bootstrap wrote goes
// ahead of a FluxInstance, and that of values. Of two that describe the installation only
// what both say counts.
func joined(a, b *Cluster) *Cluster {
	if b.Found < a.Found {
		a, b = b, a
	}
	if a.Installs != nil {
		a.install(b.Installs)
	}
	return a
}

// install adds what else describes the installation of the cluster.
func (c *Cluster) install(other *controllers.Installation) {
	if c.Installs == nil || other == nil {
		c.Installs = cmp.Or(c.Installs, other)
		return
	}
	both := controllers.Agreed(*c.Installs, *other)
	c.Installs = &both
}

// entriesIn returns the clusters whose entries are in a file.
func (w *Finder) entriesIn(name string) []*Cluster {
	if path.Base(name) == syncFile {
		return w.bootstrapped(name, w.Index.Parse(name))
	}
	if !w.Index.Look(name).Instance {
		return nil
	}
	file := w.Index.Parse(name)
	if file == nil {
		return nil
	}
	var out []*Cluster
	object.Each(file, func(doc *yamledit.Document, obj map[string]any) {
		if spec := controllers.InstanceSpec(obj); spec != nil {
			if c := w.instance(manifests.Written{Path: name, Doc: doc, Object: obj}, spec); c != nil {
				out = append(out, c)
			}
		}
	})
	return out
}

// bootstrapped reads the file that flux bootstrap writes. In a template repository it
// may hold only a comment: then the entry follows from the path of the file.
func (w *Finder) bootstrapped(name string, file *yamledit.File) []*Cluster {
	var out []*Cluster
	if file != nil {
		object.Each(file, func(doc *yamledit.Document, obj map[string]any) {
			if object.IsKustomization(obj) && object.At(obj, "spec", "sourceRef") != nil {
				out = append(out, w.cluster(manifests.Written{Path: name, Doc: doc, Object: obj}, Bootstrapped))
			}
		})
	}
	if len(out) > 0 {
		return out
	}
	dir := path.Dir(name)
	if path.Base(dir) == "flux-system" {
		dir = path.Dir(dir)
	}
	c := w.cluster(manifests.Written{Path: name, Object: controllers.SyncObject("GitRepository", "flux-system", dir)}, Bootstrapped)
	c.assumed = true
	return []*Cluster{c}
}

// instance returns the cluster of a FluxInstance; nil if that does not set what it
// applies.
func (w *Finder) instance(at manifests.Written, spec map[string]any) *Cluster {
	where := object.String(spec, "sync", "path")
	if object.At(spec, "sync", "path") == nil || strings.Contains(where, "${") || strings.Contains(where, "{{") {
		return nil
	}
	found := values
	if at.Object["kind"] == "FluxInstance" {
		found = instance
	}
	installs, sync := controllers.OfInstance(w.Index.Builder, at.Object, describedEntry(at))
	if sync.Kustomization == nil {
		return nil
	}
	installs.File, installs.Stopped = w.Index.Files.Name(at.Path), cmp.Or(presence.Idle(at.Object), installs.Stopped)
	at.Object = sync.Kustomization
	c := w.cluster(at, found)
	c.Installs, c.Source, c.sync = &installs, sync.Source, object.At(spec, "sync")
	return c
}

// describedEntry names the object that describes a FluxInstance for people.
func describedEntry(at manifests.Written) string {
	if kind, ok := at.Object["kind"].(string); ok {
		return kind + " " + object.FullName(at.Object)
	}
	return at.Path
}

// cluster returns the cluster of an entry in a file.
func (w *Finder) cluster(at manifests.Written, found entryKind) *Cluster {
	return &Cluster{
		File: at.Path, Name: entryName(object.Path(at.Object), at.Path), Found: found, Own: sources.Ref(at.Object),
		Entries: []*Kustomization{w.entry(at)}, Files: []string{at.Path}, leads: []string{w.lead(at)},
	}
}

// lead returns the path that a Kustomization builds; "" if it builds the folder only for components that it adds.
func (w *Finder) lead(at manifests.Written) string {
	built, source := object.Path(at.Object), w.Index.Packed("")
	if root := RootOf(source, at.Path, built); root.Known {
		if kust := source.KustFileIn(path.Join(root.Dir, built)); kust != nil && kust.HostsComponents(at.Object) {
			return ""
		}
	}
	return built
}

// entry returns a Kustomization as it is written, with its shadow.
func (w *Finder) entry(at manifests.Written) *Kustomization {
	k := &Kustomization{Object: at.Object, File: w.Index.Files.Name(at.Path), Line: 1}
	if at.Doc != nil {
		k.Object, k.Line = w.traced(at), at.Doc.Line
	}
	return k
}

// traced returns an object of a file with its shadow, as a build would have it.
func (w *Finder) traced(at manifests.Written) map[string]any {
	data, err := w.Index.Packed("").Traced(at.Path)
	if err != nil {
		return at.Object
	}
	file, err := yamledit.Parse(at.Path, data)
	if err != nil {
		return at.Object
	}
	out := at.Object
	object.Each(file, func(_ *yamledit.Document, candidate map[string]any) {
		if candidate["kind"] == at.Object["kind"] && object.FullName(candidate) == object.FullName(at.Object) {
			out = candidate
		}
	})
	return out
}
