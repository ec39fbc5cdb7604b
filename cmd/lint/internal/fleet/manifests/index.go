package manifests

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Index holds the objects of a tree as they are written.
type Index struct {
	Files   *tree.Tree
	Builder *build.Builder

	kustomizations []Written // Flux Kustomizations with a source
	definitions    definitions
	named          func() map[string][]Written       // by kind and name
	generators     func() []Written                  // what [Index.Generators] returns
	packed         cores.Once[string, *build.Source] // the tree as a source, by spec.ignore
}

// Written is an object as it is written in a file.
type Written struct {
	Path   string // of the file
	Doc    *yamledit.Document
	Object map[string]any
}

// NewIndex reads the objects of a tree.
func NewIndex(files *tree.Tree, builder *build.Builder) *Index {
	x := &Index{Files: files, Builder: builder}
	x.named, x.generators, x.definitions.files = sync.OnceValue(x.byName), sync.OnceValue(x.generating), sync.OnceValue(x.defining)
	x.each(func(l build.Look) bool { return l.Traced }, func(w Written) {
		if object.IsKustomization(w.Object) && object.At(w.Object, "spec", "sourceRef") != nil {
			x.kustomizations = append(x.kustomizations, w)
		}
	})
	return x
}

// Look returns what a file looks like, as [build.Builder.Look] has it.
func (x *Index) Look(name string) build.Look { return x.Builder.Look(x.Files.File(name)) }

// each calls f for the objects of the manifests for which may is true. Files
// that cannot be read are left out; the survey reports them.
func (x *Index) each(may func(build.Look) bool, f func(Written)) {
	names := x.Files.Paths()
	found := make([]*yamledit.File, len(names))
	cores.All(len(names), func(i int) {
		if build.IsManifest(names[i]) && may(x.Look(names[i])) {
			found[i], _ = x.Builder.Parse(x.Files.File(names[i]))
		}
	})
	for i, file := range found {
		if file != nil {
			object.Each(file, func(doc *yamledit.Document, obj map[string]any) { f(Written{names[i], doc, obj}) })
		}
	}
}

// byName returns the objects that are looked up, by kind/name.
func (x *Index) byName() map[string][]Written {
	out := map[string][]Written{}
	x.each(func(l build.Look) bool { return l.LookedUp }, func(w Written) {
		kind, _ := w.Object["kind"].(string)
		if _, ok := object.KindOf(kind); ok {
			key := kind + "/" + object.Name(w.Object)
			out[key] = append(out[key], w)
		}
	})
	return out
}

// Parse returns a manifest; nil if nothing in it can matter, or if it cannot be read.
func (x *Index) Parse(name string) *yamledit.File {
	f := x.Files.File(name)
	if f == nil {
		return nil
	}
	if l := x.Look(name); l.Err != nil || !l.Matters && !build.IsKustFile(name) {
		return nil
	}
	file, _ := x.Builder.Parse(f)
	return file
}

// Named lists the objects with a kind, namespace and name, in the order of the files.
// One that is written without a namespace may be in any.
func (x *Index) Named(kind, namespace, name string) []Written {
	return slices.DeleteFunc(slices.Clone(x.named()[kind+"/"+name]), func(w Written) bool {
		own := object.Namespace(w.Object)
		return own != "" && own != namespace
	})
}

// Nearest returns the object of a name whose file shares most leading folders with a
// path; nil if there is none, or if two are equally near.
func (x *Index) Nearest(near, kind, namespace, name string) map[string]any {
	var best map[string]any
	most := -1
	for _, w := range x.Named(kind, namespace, name) {
		switch shared := shared(near, path.Dir(w.Path)); {
		case shared > most:
			best, most = w.Object, shared
		case shared == most:
			best = nil
		}
	}
	return best
}

// shared counts the leading folders that two paths share.
func shared(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// Generators lists the ArtifactGenerators, by name.
func (x *Index) Generators() []Written { return x.generators() }

func (x *Index) generating() []Written {
	var out []Written
	for _, key := range slices.Sorted(maps.Keys(x.named())) {
		if strings.HasPrefix(key, "ArtifactGenerator/") {
			out = append(out, x.named()[key]...)
		}
	}
	return out
}

// Kustomizations lists the Flux Kustomizations that name a source, in the order
// of the files.
func (x *Index) Kustomizations() []Written { return x.kustomizations }

// Path returns the path in the tree of a file of a source and reports whether
// it is a manifest of the tree.
func (x *Index) Path(s *build.Source, name string) (string, bool) {
	if !build.IsManifest(name) {
		return "", false
	}
	return x.Origin(s, name)
}

// Origin returns the path in the tree of a file of a source, and reports whether it is one of the tree.
func (x *Index) Origin(s *build.Source, name string) (string, bool) {
	f := s.Files().File(name)
	if f == nil {
		return "", false
	}
	if own := x.Files.File(f.Origin()); own != nil && own.Name() == f.Name() {
		return f.Origin(), true
	}
	return x.Files.Path(f.Name())
}

var modulePath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*path[ \t]*=[ \t]*"?([^"\r\n]*?)"?[ \t]*\r?$`)
})

// Names returns the files of the tree that a build of a source reads, by their names for people.
func (x *Index) Names(s *build.Source, walk *build.Walk) map[string]bool {
	out := map[string]bool{}
	for _, name := range walk.Files {
		if own, ok := x.Path(s, name); ok {
			out[x.Files.Name(own)] = true
		}
	}
	return out
}

// Submodules lists the folders that .gitmodules has Git take from other repositories.
func (x *Index) Submodules() []string {
	f := x.Files.File(".gitmodules")
	if f == nil {
		return nil
	}
	data, _ := f.Data()
	var out []string
	for _, m := range modulePath().FindAllSubmatch(data, -1) {
		out = append(out, object.CleanPath(string(m[1])))
	}
	return out
}

// Place returns the file and line of a built object's own document, which its shadow
// names; "" if it has no shadow.
func (x *Index) Place(built map[string]any) (file string, line int) {
	at, ok := x.Builder.Table.Document(built)
	if !ok {
		return "", 0
	}
	if len(at.Path) == 0 {
		return at.Doc.File.Name, at.Doc.Line
	}
	pos, _ := at.Doc.Find(at.Path...)
	return at.Doc.File.Name, pos.Line
}

// Packed returns the source that is the tree itself, without what spec.ignore excludes.
func (x *Index) Packed(ignore string) *build.Source {
	return x.packed.Of(ignore, func() *build.Source {
		return x.Builder.Packed("the repository", x.Files, ignore)
	})
}
