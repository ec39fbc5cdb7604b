// Package slim copies JSON without the parts that nobody looks at, as it arrives:
// what is left out is never in memory as a whole, however many values it has.
package slim

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Node is a place in a document. A place with no inner one, of which the digest is
// not wanted either, is copied as it is.
type Node struct {
	// Inner are the places below, by the key of an object.
	Inner map[string]*Node
	// Each is the place of every element of a list; nil if they are copied.
	Each *Node
	// Digest replaces what is here by the SHA-256 of its tokens in hexadecimal.
	Digest bool
	// Drop replaces what is here by null.
	Drop bool
}

// The errors of a document. All others are those of its source.
var (
	ErrSyntax = errors.New("invalid JSON")
	ErrLarge  = errors.New("too much of the document is left")
)

// Limits of what is left of a document.
type Limits struct {
	// Bytes and Values are how many may be left.
	Bytes, Values int
	// Grow is called once, before more than Above bytes are in memory: what is left, and the one
	// token that is read.
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
// says. It accepts what encoding/json does.
func Read(source io.Reader, tree *Node, limits Limits) (Copy, error) {
	c := &copier{source: source, limits: limits}
	as := jsontext.AllowDuplicateNames(true)
	also := jsontext.AllowInvalidUTF8(true)
	c.in, c.out = jsontext.NewDecoder(c, as, also), jsontext.NewEncoder(&c.left, as, also)
	err := c.value(tree)
	if err == nil {
		err = c.end()
	}
	wrong := (*jsontext.SyntacticError)(nil)
	switch {
	case err == io.EOF:
		err = fmt.Errorf("%w: nothing is there", ErrSyntax)
	case errors.As(err, &wrong):
		err = fmt.Errorf("%w: %w", ErrSyntax, wrong)
	}
	return Copy{Text: c.left.Bytes(), Values: c.values}, err
}

// copier copies a document. It is the source of its own decoder, to see how much that holds.
type copier struct {
	source io.Reader
	limits Limits
	in     *jsontext.Decoder
	out    *jsontext.Encoder
	left   bytes.Buffer
	read   int64 // bytes of the source
	grown  bool
	values int
}

// Read reads from the source, within the limits.
func (c *copier) Read(window []byte) (int, error) {
	held := c.out.OutputOffset() + c.read - c.in.InputOffset()
	if held > int64(c.limits.Bytes) {
		return 0, ErrLarge
	}
	if c.limits.Grow != nil && !c.grown && held > int64(c.limits.Above) {
		c.grown = true
		if err := c.limits.Grow(); err != nil {
			return 0, err
		}
	}
	n, err := c.source.Read(window)
	c.read += int64(n)
	return n, err
}

// value copies the value that comes next, or what stands for it.
func (c *copier) value(n *Node) error {
	switch kind := c.in.PeekKind(); {
	case n == nil:
		return c.all(c.out, &c.values)
	case n.Drop:
		if err := c.in.SkipValue(); err != nil {
			return err
		}
		return c.write(jsontext.Null)
	case n.Digest:
		var inner int
		hash := sha256.New()
		if err := c.all(jsontext.NewEncoder(hash, c.out.Options()), &inner); err != nil {
			return err
		}
		return c.write(jsontext.String(hex.EncodeToString(hash.Sum(nil))))
	case kind == '{':
		return c.members(n)
	case kind == '[' && n.Each != nil:
		return c.elements(n.Each)
	}
	return c.all(c.out, &c.values)
}

// members copies an object.
func (c *copier) members(n *Node) error {
	if err := c.token(); err != nil {
		return err
	}
	for c.in.PeekKind() == '"' {
		name, err := c.in.ReadToken()
		if err != nil {
			return err
		}
		inner := n.Inner[name.String()]
		if err := c.out.WriteToken(name); err != nil {
			return err
		}
		if err := c.value(inner); err != nil {
			return err
		}
	}
	return c.token()
}

func (c *copier) elements(each *Node) error {
	if err := c.token(); err != nil {
		return err
	}
	for c.in.PeekKind() != ']' {
		if err := c.value(each); err != nil {
			return err
		}
	}
	return c.token()
}

// token copies the begin or the end of an object or a list.
func (c *copier) token() error {
	token, err := c.in.ReadToken()
	if err != nil {
		return err
	}
	if kind := token.Kind(); kind == '}' || kind == ']' {
		return c.out.WriteToken(token)
	}
	return c.write(token)
}

// all copies a whole value, and counts the values in it.
func (c *copier) all(to *jsontext.Encoder, values *int) error {
	for depth := c.in.StackDepth(); ; {
		token, err := c.in.ReadToken()
		if err != nil {
			return err
		}
		if err := to.WriteToken(token); err != nil {
			return err
		}
		within, length := c.in.StackIndex(c.in.StackDepth())
		switch name := within == '{' && length%2 == 1; token.Kind() {
		case '}', ']':
		default:
			if !name {
				*values++
			}
		}
		if c.values > c.limits.Values || c.out.OutputOffset() > int64(c.limits.Bytes) {
			return ErrLarge
		}
		if c.in.StackDepth() == depth {
			return nil
		}
	}
}

func (c *copier) write(token jsontext.Token) error {
	if c.values++; c.values > c.limits.Values {
		return ErrLarge
	}
	return c.out.WriteToken(token)
}

// end makes sure that nothing follows.
func (c *copier) end() error {
	switch _, err := c.in.ReadToken(); err {
	case nil:
		return fmt.Errorf("%w: something follows the document", ErrSyntax)
	case io.EOF:
		return nil
	default:
		return err
	}
}
