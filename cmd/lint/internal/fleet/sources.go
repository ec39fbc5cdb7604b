package fleet

import (
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// sources makes each source of a tree once.
type sources struct {
	index  *Index
	mapped map[string]*tree.Tree // by Kind/namespace/name

	// contents are the repository as GitRepositories take it, by revision and settings.
	contents map[string]*build.Source
	other    map[string]*build.Source // mapped by the user, by reference
	parts    map[part]*build.Source

	// at reads another revision of the tree.
	at    func(revision, label string) (*tree.Tree, error)
	trees map[string]*tree.Tree // by label

	guides map[*tree.File]object.Guide // as far as they are known
}

// part is a source that begins at a folder of another.
type part struct {
	of  *build.Source
	dir string
}

func newSources(x *Index, mapped map[string]*tree.Tree, at func(revision, label string) (*tree.Tree, error)) *sources {
	return &sources{
		index: x, mapped: mapped, other: map[string]*build.Source{},
		parts: map[part]*build.Source{}, at: at, trees: map[string]*tree.Tree{}, contents: map[string]*build.Source{}, guides: map[*tree.File]object.Guide{},
	}
}

// tree returns the source that is the tree itself, without what spec.ignore
// excludes.
func (s *sources) tree(ignore string) *build.Source {
	packed := s.index.packed
	if packed[ignore] == nil {
		packed[ignore] = s.index.Builder.Source("the repository", true, s.index.Files.Pack(ignore))
	}
	return packed[ignore]
}

// content returns the files that a GitRepository provides: without those that its spec.ignore
// excludes, or that its spec.sparseCheckout does not name.
func (s *sources) content(name, key string, files *tree.Tree, repository map[string]any) (*build.Source, error) {
	ignore := object.String(repository, "spec", "ignore")
	sparse, err := sparseOf(repository)
	if err != nil {
		return nil, err
	}
	key += "\x00" + ignore + "\x00" + strings.Join(sparse, "\x00")
	if s.contents[key] == nil {
		if len(sparse) > 0 {
			if files, err = files.Sparse(sparse); err != nil {
				return nil, err
			}
		}
		s.contents[key] = s.index.Builder.Source(name, true, files.Pack(ignore))
	}
	return s.contents[key], nil
}

// sparseOf returns spec.sparseCheckout of a GitRepository.
func sparseOf(repository map[string]any) ([]string, error) {
	var out []string
	entries, _ := object.At(repository, "spec", "sparseCheckout").([]any)
	for _, entry := range entries {
		text, _ := entry.(string)
		if names := build.Unknown(text); len(names) > 0 {
			return nil, fmt.Errorf("its spec.sparseCheckout needs the variable %s, which is not known", names[0])
		}
		out = append(out, text)
	}
	return out, nil
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
