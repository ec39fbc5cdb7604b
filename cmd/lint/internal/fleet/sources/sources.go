package sources

import (
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Set makes each source of a tree once.
type Set struct {
	index  *manifests.Index
	Mapped map[string]*tree.Tree // by Kind/namespace/name

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

// New returns the sources of a tree: mapped are those of the user, and at reads another revision.
func New(x *manifests.Index, mapped map[string]*tree.Tree, at func(revision, label string) (*tree.Tree, error)) *Set {
	return &Set{index: x, Mapped: mapped, at: at}
}

// Content returns the files that a source provides: without those that its spec.ignore
// excludes, or that its spec.sparseCheckout does not name.
func (s *Set) Content(name, key string, files *tree.Tree, repository map[string]any) (*build.Source, error) {
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
		return content{source: s.index.Builder.Packed(name, files, ignore)}
	})
	return out.source, out.err
}

// sparseOf returns spec.sparseCheckout of a GitRepository.
func sparseOf(repository map[string]any) ([]string, error) {
	var out []string
	entries, _ := object.At(repository, "spec", "sparseCheckout").([]any)
	for _, entry := range entries {
		text, _ := entry.(string)
		if names := variables.Unknown(text); len(names) > 0 {
			return nil, fmt.Errorf("its spec.sparseCheckout needs the variable %s, which is not known", names[0])
		}
		out = append(out, text)
	}
	return out, nil
}

// From returns the source that begins at a folder of another.
func (s *Set) From(of *build.Source, dir string) *build.Source {
	if dir == "" || dir == "." {
		return of
	}
	return s.parts.Of(part{of, dir}, func() *build.Source { return of.Sub(dir) })
}

// Guide returns what a file may decide, once; false if it cannot be read.
func (s *Set) Guide(f *tree.File) (object.Guide, bool) {
	if f == nil {
		return object.Guide{}, false
	}
	return s.guides.Of(f, func() object.Guide {
		data, err := f.Data()
		if err != nil {
			return object.Guide{Steers: true}
		}
		return object.GuideOf(data)
	}), true
}
