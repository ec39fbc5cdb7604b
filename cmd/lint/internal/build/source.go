package build

import (
	"maps"
	"path"
	"slices"

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
	written *tree.Tree           // as it is written
	plain   *tree.Tree           // the same without what must be fetched
	traced  *tree.Tree           // plain, with shadows
	kusts   map[string]*KustFile // by path
	remotes map[string][]Remote  // removed from a kustomization.yaml, by its path
	weights map[string]int       // of files and folders, as far as they are known
	walks   map[string]*Walk     // as far as they are known
}

// source returns a source with the files that Flux would pack.
func (i *instrumenter) source(name string, own bool, files *tree.Tree) *Source {
	s := &Source{Name: name, Own: own, by: i, written: files, kusts: map[string]*KustFile{}, remotes: map[string][]Remote{}, weights: map[string]int{}, walks: map[string]*Walk{}}
	plain, traced := map[string][]byte{}, map[string]func() []byte{}
	for _, name := range files.Paths() {
		i.prepare(s, files, name, plain, traced)
	}
	s.plain = files.With(plain)
	s.traced = s.plain.Instead(traced)
	return s
}

// prepare reads one file and records what is built instead of it: in plain without
// shadows, in traced with them. Shadows of a manifest are made when a build reads it: many
// are in no build.
func (i *instrumenter) prepare(s *Source, files *tree.Tree, name string, plain map[string][]byte, traced map[string]func() []byte) {
	if !IsManifest(name) && !IsKustFile(name) {
		return
	}
	look := i.look(files.File(name))
	if look.Err != nil {
		return // reported with the tree
	}
	if i.explodes(files.File(name)) {
		plain[name] = []byte("its YAML aliases expand to too much: {") // a build that reads it fails
		return
	}
	if !IsKustFile(name) && !look.Traced {
		return
	}
	if !IsKustFile(name) {
		traced[name] = func() []byte { return i.shadowed(files.File(name)) }
		return
	}
	file, err := i.contents.parse(files.File(name))
	if err != nil {
		return
	}
	if IsEmpty(file) {
		s.kusts[name] = emptyKustFile(name, file)
		return
	}
	k := kustFileOf(name, file)
	if k == nil || object.IsTraced(k.Object) {
		traced[name] = func() []byte { return i.shadowed(files.File(name)) }
		return
	}
	k.spelt()
	s.kusts[name] = k
	text := i.instrumentKust(files, k)
	s.remotes[name] = text.remotes
	if text.plain != nil {
		plain[name] = text.plain
	}
	if text.traced != nil {
		traced[name] = func() []byte { return text.traced }
	}
}

// Sub returns the source that begins at a folder of this one. A patch that
// lies outside of it is not there any more.
func (s *Source) Sub(dir string) *Source {
	if dir == "." || dir == "" {
		return s
	}
	return s.by.source(s.Name, s.Own, s.written.Sub(dir))
}

// Assemble makes a source of files of others: each file by its path, with the
// source that it is taken from and its path there.
func (b *Builder) Assemble(name string, files map[string]Taken) *Source {
	written := map[string]*tree.File{}
	for as, taken := range files {
		written[as] = taken.From.written.File(taken.Path)
	}
	return b.instrumenter.source(name, false, tree.Of(written))
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
