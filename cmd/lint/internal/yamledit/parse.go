package yamledit

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"
	"weak"
)

// keptSize is the size in bytes up to which the nodes of a document are kept that the
// parser has read. A larger one, and one that is read quickly, is read again when its
// nodes are first needed.
const keptSize = 64 << 10

// Parse splits a YAML or JSON stream into documents. It returns an error only
// for the file as a whole: too large, binary, not UTF-8, too many documents. A
// file of comments has no documents. An empty document between two markers is
// a document.
func Parse(name string, data []byte) (*File, error) {
	switch {
	case len(data) > MaxFileSize:
		return nil, fmt.Errorf("file of %d bytes is larger than the limit of %d", len(data), MaxFileSize)
	case bytes.IndexByte(data, 0) >= 0:
		return nil, errors.New("binary file, or text that is not UTF-8")
	case !utf8.Valid(data):
		return nil, fmt.Errorf("not UTF-8: invalid byte on line %d", invalidLine(data))
	}
	f := &File{Name: name, Data: data}
	if err := f.parse(); err != nil {
		return nil, err
	}
	return f, nil
}

// invalidLine returns the line of the first byte that is not UTF-8.
func invalidLine(data []byte) int {
	for i := 0; ; {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return 1 + bytes.Count(data[:i], []byte("\n"))
		}
		i += size
	}
}

// parse reads the documents of the file's data.
func (f *File) parse() error {
	f.lines = whileUsed(func() *lines {
		found := newLines(f.Data, editorBreak)
		return &found
	})
	spans := split(f.Data)
	if len(spans) > MaxDocuments {
		return fmt.Errorf("file of %d documents is over the limit of %d", len(spans), MaxDocuments)
	}
	for i, s := range spans {
		f.Documents = append(f.Documents, newDocument(f, i, s))
	}
	return nil
}

func newDocument(f *File, index int, s span) *Document {
	d := &Document{File: f, Index: index, start: s.start, end: s.end}
	d.shared = d.Object
	content, _ := d.position(s.content - s.start)
	d.Line = content.Line
	d.tree = whileUsed(func() *tree {
		again, _ := read(d.bytes()) // it has been read without a fault
		return again
	})
	if d.readQuickly() {
		return d
	}
	t, fault := read(d.bytes())
	if fault != nil {
		d.Err = d.syntaxError(fault)
		return d
	}
	if s.end-s.start <= keptSize {
		d.tree = func() *tree { return t }
		d.shared = sync.OnceValues(d.Object)
	}
	return d
}

// readQuickly reports whether it has read what is shared of a document. Values that may be
// those of a chart that sets up Flux are part of it.
func (d *Document) readQuickly() bool {
	lean := !bytes.Contains(d.bytes(), []byte("instance:"))
	root, ok := quick(d.bytes(), lean)
	if !ok {
		return false
	}
	object := map[string]any{}
	if fault := (&tree{}).decodeInto(object, root); fault != nil {
		return false
	}
	d.shared = func() (map[string]any, error) { return object, nil }
	d.lean = whileUsed(func() *tree {
		root, _ := quick(d.bytes(), lean)
		return &tree{lines: newLines(d.bytes(), yamlBreak), root: root}
	})
	return true
}

// whileUsed returns a function that makes a value again once the collector has taken the
// last one: many documents are looked at, each for a short while.
func whileUsed[T any](read func() *T) func() *T {
	var mu sync.Mutex
	var last weak.Pointer[T]
	return func() *T {
		mu.Lock()
		defer mu.Unlock()
		t := last.Value()
		if t == nil {
			t = read()
			last = weak.Make(t)
		}
		return t
	}
}
