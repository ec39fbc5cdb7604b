package build

import (
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
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
	parsed cores.Once[contentKey, parsed]

	mu      sync.Mutex
	readers []*yamledit.Reader // that read nothing now
}

type parsed struct {
	file *yamledit.File
	err  error
}

// parse reads a file of a tree as YAML.
func (c *contents) parse(f *tree.File) (*yamledit.File, error) {
	out := c.parsed.Of(keyOf(f), func() (out parsed) {
		if _, out.err = f.Data(); out.err == nil {
			reader := c.take()
			out.file, out.err = reader.Parse(f.Name(), f.Again)
			c.give(reader)
		}
		return out
	})
	return out.file, out.err
}

// take returns a reader that nobody else uses until it is given back.
func (c *contents) take() *yamledit.Reader {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := len(c.readers) - 1
	if last < 0 {
		return &yamledit.Reader{}
	}
	out := c.readers[last]
	c.readers = c.readers[:last]
	return out
}

func (c *contents) give(r *yamledit.Reader) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.readers = append(c.readers, r)
}
