package yamledit

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Limits of what is read. A document beyond them could not be sent to an API
// server, which takes requests of 3 MiB.
const (
	MaxFileSize     = 10 << 20 // bytes of one file
	MaxDocuments    = 10_000   // documents of one file
	MaxDocumentSize = 3 << 20  // bytes of one document
	MaxDepth        = 500      // nested collections
	MaxNodes        = 500_000  // keys and values of one document, aliases expanded
)

// Position is a place in a file. Both are counted from 1, the column in
// characters; a tab is one character.
type Position struct{ Line, Column int }

// File is a stream of documents.
type File struct {
	Name      string
	Data      []byte
	Documents []*Document

	lines  []int   // where each line begins
	origin *origin // for an embedded file
}

// Document is one document of a file, or a part of one (see Each). It may be
// used from several goroutines.
type Document struct {
	File  *File
	Index int   // among File.Documents; a part has that of its document
	Line  int   // of the first content
	Err   error // why the document cannot be read: a *SyntaxError

	start, end int // bytes of File.Data
	tree       func() *tree
	part       *yaml.Node // the root of a part
	at         []any      // the path to a part in its document
}

// SyntaxError says why a document cannot be read. The line is where the parser
// noticed, which may be after the mistake.
type SyntaxError struct {
	Line, Column int
	Message      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}
