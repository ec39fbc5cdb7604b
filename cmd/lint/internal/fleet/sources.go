package fleet

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// sources makes each source of a tree once.
type sources struct {
	index  *Index
	mapped map[string]*tree.Tree // by Kind/namespace/name

	self  map[string]*build.Source // by spec.ignore
	other map[string]*build.Source // mapped by the user, by reference
	parts map[part]*build.Source

	// at reads another revision of the tree.
	at        func(revision, label string) (*tree.Tree, error)
	revisions map[string]*build.Source // by label and spec.ignore
}

// part is a source that begins at a folder of another.
type part struct {
	of  *build.Source
	dir string
}

func newSources(x *Index, mapped map[string]*tree.Tree, at func(revision, label string) (*tree.Tree, error)) *sources {
	return &sources{
		index: x, mapped: mapped, self: map[string]*build.Source{}, other: map[string]*build.Source{},
		parts: map[part]*build.Source{}, at: at, revisions: map[string]*build.Source{},
	}
}

// tree returns the source that is the tree itself, without what spec.ignore
// excludes.
func (s *sources) tree(ignore string) *build.Source {
	if s.self[ignore] == nil {
		s.self[ignore] = s.index.Builder.Source("the repository", true, s.index.Files.Pack(ignore))
	}
	return s.self[ignore]
}

// of returns the source that the user has mapped to a folder; nil if none is.
func (s *sources) of(ref reference) *build.Source {
	name := ref.String()
	files, ok := s.mapped[name]
	if ok && s.other[name] == nil {
		s.other[name] = s.index.Builder.Source("source "+name, true, files.Pack(""))
	}
	return s.other[name]
}

// from returns the source that begins at a folder of another.
func (s *sources) from(of *build.Source, dir string) *build.Source {
	if dir == "" || dir == "." {
		return of
	}
	key := part{of, dir}
	if s.parts[key] == nil {
		s.parts[key] = of.Sub(dir)
	}
	return s.parts[key]
}
