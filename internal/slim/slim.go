// Package slim copies JSON without the parts that nobody looks at, as it arrives:
// what is left out is never in memory as a whole, however large it is.
package slim

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"sync"
)

// Node is a place in a document. A place with no inner one, of which the digest is
// not wanted either, is copied as it is.
type Node struct {
	// Inner are the places below, by the key of an object.
	Inner map[string]*Node
	// Each is the place of every element of a list; nil if they are copied.
	Each *Node
	// Digest replaces what is here by the SHA-256 of its bytes in hexadecimal.
	Digest bool
	// Drop replaces what is here by null.
	Drop bool
}

// The errors of a document. All others are those of its source.
var (
	ErrSyntax = errors.New("invalid JSON")
	ErrDepth  = errors.New("JSON is nested too deep: max depth is 20000")
	ErrLarge  = errors.New("too much of the document is left")
)

// maxDepth is twice what the API server accepts in an object.
const maxDepth = 20_000

// Limits of what is left of a document.
type Limits struct {
	// Bytes and Values are how many may be left.
	Bytes, Values int
	// Grow is called once, before more than Above bytes are left.
	Above int
	Grow  func() error
}

// Copy is what is left of a document.
type Copy struct {
	// Text is valid JSON.
	Text []byte
	// Values is the number of objects, lists and scalars in it: decoded, they need
	// far more memory than their text.
	Values int
}

// Read reads one JSON document to its end and leaves out what the tree of places
// says. It accepts what encoding/json does, up to a depth of 20,000.
func Read(source io.Reader, tree *Node, limits Limits) (Copy, error) {
	window := windows.Get().(*[windowSize]byte)
	defer windows.Put(window)
	s := &scanner{source: source, limits: limits, window: window[:], left: make([]byte, 0, windowSize/2)}
	s.node(tree)
	s.finish()
	return Copy{Text: s.left, Values: s.values}, s.err
}

// windows are those that no scanner uses.
var windows = sync.Pool{New: func() any { return new([windowSize]byte) }}

// node copies the value that begins here, or what stands for it.
func (s *scanner) node(n *Node) {
	switch {
	case n == nil:
		s.value()
	case n.Drop:
		s.instead(nil, func([]byte) string { return "null" })
	case n.Digest:
		s.instead(sha256.New(), func(sum []byte) string { return `"` + hex.EncodeToString(sum) + `"` })
	case s.token() == '{':
		s.members(n)
	case n.Each != nil && s.token() == '[':
		s.elements(n.Each)
	default:
		s.value()
	}
}

// members copies the members of an object.
func (s *scanner) members(n *Node) {
	s.count()
	s.next()
	if s.token() == '}' {
		s.next()
		return
	}
	for s.err == nil {
		inner := s.inner(n, s.key())
		s.expect(':')
		s.node(inner)
		if s.token() != ',' {
			s.expect('}')
			return
		}
		s.next()
	}
}

// elements copies the elements of a list.
func (s *scanner) elements(each *Node) {
	s.count()
	s.next()
	if s.token() == ']' {
		s.next()
		return
	}
	for s.err == nil {
		s.node(each)
		if s.token() != ',' {
			s.expect(']')
			return
		}
		s.next()
	}
}

// instead reads a value, through a hash if there is one, and writes a text for it.
func (s *scanner) instead(through hash.Hash, text func(sum []byte) string) {
	s.token()
	s.flush()
	values := s.values
	s.aside, s.hash = true, through
	s.value()
	s.flush()
	s.aside, s.hash, s.values = false, nil, values+1
	var sum []byte
	if through != nil {
		sum = through.Sum(nil)
	}
	s.keep([]byte(text(sum)))
}

// inner returns the place below at a key as it is written; nil if there is none.
func (s *scanner) inner(n *Node, quoted []byte) *Node {
	if len(quoted) < 2 || len(n.Inner) == 0 {
		return nil
	}
	key := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(key, '\\') >= 0 {
		var plain string
		if json.Unmarshal(quoted, &plain) != nil {
			return nil
		}
		key = []byte(plain)
	}
	return n.Inner[string(key)]
}
