package yamledit

import (
	"sync"
	"weak"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit/internal/quick"
)

// keptSize is the size in bytes up to which the nodes of a document are kept that the
// parser has read. A larger one, and one that is read quickly, is read again when its
// nodes are first needed.
const keptSize = 64 << 10

// memo is what has been read of a document. Its parts share it.
type memo struct {
	quickly bool      // by package quick, so that it can be read again without checks
	without bool      // then leaves out spec.values
	values  quick.Gap // where these are
	kept    *tree     // of a small document that is not read quickly

	object func() (map[string]any, error) // what is shared; nil if it is read each time

	whole, lean again[tree]
}

// again is a value that is made again once the collector has taken the last one: many
// documents are looked at, each for a short while.
type again[T any] struct {
	mu   sync.Mutex
	last weak.Pointer[T]
}

func (a *again[T]) get(read func() *T) *T {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.last.Value()
	if t == nil {
		t = read()
		a.last = weak.Make(t)
	}
	return t
}

// tree returns the nodes of a document that can be read.
func (d *Document) tree() *tree {
	if d.memo.kept != nil {
		return d.memo.kept
	}
	return d.memo.whole.get(func() *tree {
		t, _ := read(d.bytes()) // it has been read without a fault
		return t
	})
}

// lean returns the nodes of a document that is read quickly, without spec.values.
func (d *Document) lean() *tree {
	return d.memo.lean.get(func() *tree {
		text := d.bytes()
		r := &quick.Reader{Lean: d.memo.without, Values: d.memo.values}
		root, _ := r.Read(text)
		return &tree{lines: newLines(text, yamlBreak), root: root}
	})
}
