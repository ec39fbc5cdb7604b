package tree

import (
	"fmt"
	"sync/atomic"
)

// heldSize is how many bytes of its files a tree keeps in memory. Most trees have less.
// Beyond it what is not in use is read again.
const heldSize = 4 << 20

// held counts the bytes of a tree's files that are kept.
type held struct {
	bytes atomic.Int64
}

// held returns what counts the files of a tree; nil if all are kept.
func (o Options) held() *held {
	if o.Keep {
		return nil
	}
	return &held{}
}

// keeps reports whether a file of so many bytes is kept.
func (h *held) keeps(size int) bool { return h == nil || h.bytes.Add(int64(size)) <= heldSize }

// changed is the panic of a file that is not any more what it was when it was read first:
// what was found in it is not where it was. Whoever looks at a text that has been read
// expects no error.
type changed struct{ file string }

// Unchanged returns what a function returns, or an error if a file that it has read was
// changed meanwhile.
func Unchanged(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			c, ok := p.(changed)
			if !ok {
				panic(p)
			}
			err = fmt.Errorf("%s was changed while it was in use: run the command again", c.file)
		}
	}()
	return do()
}
