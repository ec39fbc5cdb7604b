package fleet

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// sources makes each source of a tree once.
type sources struct {
	index  *Index
	mapped map[string]*tree.Tree // by Kind/namespace/name

	self  map[string]*build.Source // by spec.ignore
	other map[string]*build.Source // that is mapped, by reference
	made  map[string]*build.Source // by generator and name
	parts map[part]*build.Source
}

// part is a source that begins at a folder of another.
type part struct {
	of  *build.Source
	dir string
}

func newSources(x *Index, mapped map[string]*tree.Tree) *sources {
	return &sources{x, mapped, map[string]*build.Source{}, map[string]*build.Source{}, map[string]*build.Source{}, map[part]*build.Source{}}
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

// generated returns what an ArtifactGenerator makes under a name; nil if it
// makes nothing of that name. aliases finds the sources that it names.
func (s *sources) generated(generator map[string]any, name string, aliases func(alias string) (*build.Source, error)) (*build.Source, error) {
	key := fmt.Sprintf("%v/%s", generator["spec"], name)
	if s.made[key] != nil {
		return s.made[key], nil
	}
	made, err := generate(s.index.Builder, generator, name, aliases)
	if err == nil && made != nil {
		s.made[key] = made
	}
	return made, err
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
