package build

import (
	"maps"
	"path"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Source is what a Flux source holds.
type Source struct {
	Name string // for people: "the repository"
	// Own is true for a whole repository: spec.path may then be relative to a folder
	// of it.
	Own bool

	by      *instrumenter
	written *tree.Tree              // as it is written
	plain   *tree.Tree              // the same without what must be fetched
	traced  *tree.Tree              // plain, with shadows
	kusts   map[string]*KustFile    // by path
	remotes map[string][]Remote     // removed from a kustomization.yaml, by its path
	weights cores.Once[string, int] // of files and folders that were asked for
	walks   cores.Once[string, *Walk]
}

// source returns a source with the files that Flux would pack.
func (i *instrumenter) source(name string, own bool, files *tree.Tree) *Source {
	s := &Source{Name: name, Own: own, by: i, written: files, kusts: map[string]*KustFile{}, remotes: map[string][]Remote{}}
	s.walks.Most = keptWalks
	plain, traced := map[string][]byte{}, map[string]func() []byte{}
	names := files.Paths()
	all := make([]prepared, len(names))
	cores.All(len(names), func(n int) { all[n] = i.prepare(files, names[n]) })
	for n, p := range all {
		name := names[n]
		if p.plain != nil {
			plain[name] = p.plain
		}
		if p.traced != nil {
			traced[name] = p.traced
		}
		if p.kust != nil {
			s.kusts[name], s.remotes[name] = p.kust, p.remotes
		}
	}
	s.plain = files.With(plain)
	s.traced = s.plain.Instead(traced)
	return s
}

// prepared is what is built instead of a file.
type prepared struct {
	plain   []byte        // without shadows; nil for what is written
	traced  func() []byte // with them; nil for the same
	kust    *KustFile     // nil if it is none
	remotes []Remote      // removed from it
}

// prepare reads one file. Shadows are made when a build reads it: many are in no build.
func (i *instrumenter) prepare(files *tree.Tree, name string) prepared {
	if !IsManifest(name) && !IsKustFile(name) {
		return prepared{}
	}
	f := files.File(name)
	look := i.look(f)
	if look.Err != nil {
		return prepared{} // reported with the tree
	}
	if i.explodes(f) {
		return prepared{plain: []byte("its YAML aliases expand to too much: {")} // a build that reads it fails
	}
	shadowed := prepared{traced: func() []byte { return i.shadowed(f) }}
	switch {
	case !IsKustFile(name) && !look.Traced:
		return prepared{}
	case !IsKustFile(name):
		return shadowed
	}
	file, err := i.contents.parse(f)
	if err != nil {
		return prepared{}
	}
	if IsEmpty(file) {
		return prepared{kust: emptyKustFile(name, file)}
	}
	k := kustFileOf(name, file)
	if k == nil || object.IsTraced(k.Object) {
		return shadowed
	}
	k.spelt()
	text := i.instrumentKust(files, k)
	return prepared{plain: text.plain, traced: text.traced, kust: k, remotes: text.remotes}
}

// Sub returns the source that begins at a folder of this one. A patch that
// lies outside of it is not there any more.
func (s *Source) Sub(dir string) *Source {
	if dir == "." || dir == "" {
		return s
	}
	return s.by.source(s.Name, s.Own, s.written.Sub(dir))
}

// Taken is a file of a source: the source, and the path in it.
type Taken struct {
	From *Source
	Path string
}

// Files returns the files of the source without shadows and remote resources.
func (s *Source) Files() *tree.Tree { return s.plain }

// IsDir reports whether the source has a folder.
func (s *Source) IsDir(name string) bool { return s.plain.IsDir(path.Clean(name)) }

// Kusts returns the kustomization.yaml files of the source in order of their
// paths.
func (s *Source) Kusts() []*KustFile {
	var out []*KustFile
	for _, name := range slices.Sorted(maps.Keys(s.kusts)) {
		out = append(out, s.kusts[name])
	}
	return out
}

// Traced returns the content of a file with shadows.
func (s *Source) Traced(name string) ([]byte, error) { return s.traced.ReadFile(name) }
