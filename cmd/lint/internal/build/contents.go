package build

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// contentKey names the content of a file. The name is part of it because
// positions name their file.
type contentKey struct {
	name string
	hash tree.Hash
}

func keyOf(f *tree.File) contentKey { return contentKey{f.Name(), f.Hash()} }

// contents are files as YAML, each content parsed once.
type contents struct {
	parsed map[contentKey]parsed
	reader yamledit.Reader
}

type parsed struct {
	file *yamledit.File
	err  error
}

// parse reads a file of a tree as YAML.
func (c *contents) parse(f *tree.File) (*yamledit.File, error) {
	key := keyOf(f)
	if done, ok := c.parsed[key]; ok {
		return done.file, done.err
	}
	_, err := f.Data()
	out := parsed{err: err}
	if err == nil {
		out.file, out.err = c.reader.Parse(f.Name(), f.Again)
	}
	c.parsed[key] = out
	return out.file, out.err
}
