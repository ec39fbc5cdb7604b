package manifest

import "errors"

// Limits of what is read. A larger document could not be sent to an API server.
const (
	MaxFileSize     = 10 << 20 // bytes of one file
	MaxDocumentSize = 3 << 20  // bytes of one document
	MaxDepth        = 500      // nested collections
	MaxNodes        = 500_000  // values of one document, aliases expanded
)

// Position is a place in a file. Both are counted from 1, the column in
// characters; a tab is one character.
type Position struct{ Line, Column int }

// File is a stream of documents.
type File struct {
	Name      string
	Data      []byte
	Documents []*Document
}

// Document is one document of a file, or a part of one (see Each).
type Document struct {
	File  *File
	Index int   // among File.Documents
	Line  int   // of the first content
	Err   error // why the document cannot be read: a *SyntaxError
}

// SyntaxError says why a document cannot be read.
type SyntaxError struct {
	Line, Column int
	Message      string
}

func (e *SyntaxError) Error() string { return e.Message }

var errTODO = errors.New("not implemented")

// Parse splits a YAML or JSON stream into documents. It fails only for what
// concerns the whole file: too large, binary, not UTF-8. A file of comments
// has no documents.
func Parse(name string, data []byte) (*File, error) { return nil, errTODO }

// Object gives the document in the shapes of JSON, integers as int64, other
// numbers as float64. It is nil for an empty document, and an error for one
// that cannot be read or is no mapping.
func (d *Document) Object() (map[string]any, error) { return nil, errTODO }

// Decode is Object for a root of any kind: a mapping, a list, a scalar.
func (d *Document) Decode() (any, error) { return nil, errTODO }

// Each gives the elements of the list at a path as documents of their own, with
// their true positions: Each("items") for a List, Each() for a root that is a
// list. It gives nothing when there is no list.
func (d *Document) Each(path ...any) []*Document { return nil }

// Find gives the position of the key (or of the list item) that a path ends in.
// What comes from an anchor is found at the anchor. For a field that is not
// written it gives the nearest written parent and false; for the root, the
// first key of the document.
func (d *Document) Find(path ...any) (pos Position, exact bool) { return Position{}, false }

// Value gives the position of the value at a path; false if it is not written.
func (d *Document) Value(path ...any) (Position, bool) { return Position{}, false }

// Embedded parses the string at a path as a file of its own, for YAML or JSON
// written inside YAML. Positions in it are positions in the outer file: exact
// in a literal block scalar (|); in the other styles all are that of the
// string itself, and Find says not exact. It is false if no string is there.
func (d *Document) Embedded(path ...any) (*File, bool) { return nil, false }

// Set writes a value at a path of the document of that index and changes
// nothing else. Missing parents are made; an index one past the end of a list
// appends. It refuses what it cannot do by changing this field alone, such as a
// field that comes from an anchor.
func Set(data []byte, index int, path []any, value any) ([]byte, error) { return nil, errTODO }

// Delete removes the field or the list item at a path and changes nothing else.
// Deleting what is not there changes nothing.
func Delete(data []byte, index int, path []any) ([]byte, error) { return nil, errTODO }
