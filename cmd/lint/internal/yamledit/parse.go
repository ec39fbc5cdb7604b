package yamledit

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"unicode/utf8"
)

// Parse splits a YAML or JSON stream into documents. It returns an error only
// for the file as a whole: too large, binary, not UTF-8, too many documents. A
// file of comments has no documents. An empty document between two markers is
// a document.
func Parse(name string, data []byte) (*File, error) {
	return new(Reader).Parse(name, func() []byte { return data })
}

// Parse is [Parse] for a text that the file asks for whenever it needs it, and that must be
// the same each time.
func (r *Reader) Parse(name string, text func() []byte) (*File, error) {
	data := text()
	switch {
	case len(data) > MaxFileSize:
		return nil, fmt.Errorf("file of %d bytes is larger than the limit of %d", len(data), MaxFileSize)
	case bytes.IndexByte(data, 0) >= 0:
		return nil, errors.New("binary file, or text that is not UTF-8")
	case !utf8.Valid(data):
		return nil, fmt.Errorf("not UTF-8: invalid byte on line %d", invalidLine(data))
	}
	f := &File{Name: name, text: text}
	if err := f.parse(r); err != nil {
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
func (f *File) parse(r *Reader) error {
	data := f.Data()
	lines := f.lines() // kept until all documents have their place
	spans := split(data)
	if len(spans) > MaxDocuments {
		return fmt.Errorf("file of %d documents is over the limit of %d", len(spans), MaxDocuments)
	}
	for i, s := range spans {
		f.Documents = append(f.Documents, r.document(f, i, s, data[s.start:s.end]))
	}
	runtime.KeepAlive(lines)
	return nil
}
