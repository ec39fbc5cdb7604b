package tree

import (
	"context"
	"errors"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
)

// At returns what another revision of the repository around the root has in the
// root's place. The names of its files end with "@" and the label, so that they
// are not confused with those at hand.
func (t *Tree) At(ctx context.Context, rev, label string) (*Tree, error) {
	repository, err := t.repository()
	if err != nil {
		return nil, err
	}
	found, err := Revision(ctx, repository, rev, t.abs, Options{})
	if err != nil {
		return nil, err
	}
	out := *found
	out.files = map[string]*File{}
	for name, file := range found.files {
		out.files[name] = &File{name: t.join(name) + "@" + label, origin: file.origin, read: file.Data}
	}
	return &out, nil
}

// Tags returns the tags of the repository around the root.
func (t *Tree) Tags() ([]string, error) {
	repository, err := t.repository()
	if err != nil {
		return nil, err
	}
	return repository.Tags(), nil
}

func (t *Tree) repository() (*git.Repository, error) {
	if t.abs == "" {
		return nil, errors.New("the tree is in no repository")
	}
	return git.Open(t.abs)
}
