package fleet

import (
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// sources makes each source of a tree once.
type sources struct {
	index  *manifests.Index
	mapped map[string]*tree.Tree // by Kind/namespace/name

	// contents are the repository, and what the user has mapped, as sources take them, by revision or reference
	// and settings.
	contents cores.Once[string, content]
	parts    cores.Once[part, *build.Source]

	// at reads another revision of the tree.
	at    func(revision, label string) (*tree.Tree, error)
	trees cores.Once[string, revised] // by label

	guides cores.Once[*tree.File, object.Guide]
}

// content is a source that a GitRepository takes, or why it cannot.
type content struct {
	source *build.Source
	err    error
}

// part is a source that begins at a folder of another.
type part struct {
	of  *build.Source
	dir string
}

func newSources(x *manifests.Index, mapped map[string]*tree.Tree, at func(revision, label string) (*tree.Tree, error)) *sources {
	return &sources{index: x, mapped: mapped, at: at}
}

// content returns the files that a source provides: without those that its spec.ignore
// excludes, or that its spec.sparseCheckout does not name.
func (s *sources) content(name, key string, files *tree.Tree, repository map[string]any) (*build.Source, error) {
	ignore := object.String(repository, "spec", "ignore")
	sparse, err := sparseOf(repository)
	if err != nil {
		return nil, err
	}
	key += "\x00" + ignore + "\x00" + strings.Join(sparse, "\x00")
	out := s.contents.Of(key, func() content {
		if len(sparse) > 0 {
			if files, err = files.Sparse(sparse); err != nil {
				return content{err: err}
			}
		}
		return content{source: s.index.Builder.Source(name, true, files.Pack(ignore))}
	})
	return out.source, out.err
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

// from returns the source that begins at a folder of another.
func (s *sources) from(of *build.Source, dir string) *build.Source {
	if dir == "" || dir == "." {
		return of
	}
	return s.parts.Of(part{of, dir}, func() *build.Source { return of.Sub(dir) })
}
