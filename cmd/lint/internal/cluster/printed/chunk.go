package printed

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// chunk is the text of a document, or of an item of its list.
type chunk struct {
	text []byte
	line int // the one that it begins on
}

func (c *chunk) add(line []byte, number int) {
	if len(c.text) == 0 {
		c.line = number
	}
	if len(c.text) <= yamledit.MaxDocumentSize { // one that is too large is said to be
		c.text = append(c.text, line...)
	}
}

// The places that a line may be in, beside the indent of the items of a list.
const (
	outside = -1 - iota // of a list
	before              // after "items:", before the first item
)

// cutter cuts a stream of YAML. Of a document that is a list, the items are chunks of
// their own, and what is beside them is one.
type cutter struct {
	beside, item chunk
	list         int // the indent of the items, or a place
	line         int
}

// chunks cuts YAML by its lines.
func chunks(in *bufio.Reader) iter.Seq2[chunk, error] {
	return func(yield func(chunk, error) bool) {
		c := cutter{list: outside}
		for {
			line, err := in.ReadSlice('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield(chunk{}, fmt.Errorf("line %d: %w", c.line+1, lineError(err)))
				return
			}
			for _, done := range c.next(line) {
				if !yield(done, nil) {
					return
				}
			}
			if err != nil {
				break
			}
		}
		for _, done := range c.end() {
			if !yield(done, nil) {
				return
			}
		}
	}
}

func lineError(err error) error {
	if errors.Is(err, bufio.ErrBufferFull) {
		return fmt.Errorf("it is longer than %d bytes", yamledit.MaxDocumentSize)
	}
	return err
}

// next takes a line, and returns what ends with it.
func (c *cutter) next(line []byte) (done []chunk) {
	c.line++
	indent, content := indentOf(line)
	marker := bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))
	dash := isDash(content)
	switch {
	case marker:
		done = c.end()
		c.beside.add(line, c.line)
	case c.list == outside && string(bytes.TrimRight(line, " \r\n")) == "items:":
		c.list = before
	case c.list == outside:
		c.beside.add(line, c.line)
	case !isContent(content):
		c.item.add(line, c.line)
	case c.list == before && !dash: // items is no list
		c.beside.add([]byte("items:\n"), c.line)
		c.beside.add(line, c.line)
		c.list = outside
	case dash && (c.list == before || indent == c.list):
		done = c.endItem()
		c.list = indent
		item := bytes.Clone(line)
		item[indent] = ' '
		c.item.add(item, c.line)
	case indent <= c.list:
		done = c.endItem()
		c.list = outside
		c.beside.add(line, c.line)
	default:
		c.item.add(line, c.line)
	}
	return done
}

func (c *cutter) end() []chunk {
	done := c.endItem()
	if len(c.beside.text) > 0 {
		done = append(done, c.beside)
	}
	c.beside, c.list = chunk{}, outside
	return done
}

func (c *cutter) endItem() (done []chunk) {
	if len(c.item.text) > 0 {
		done = append(done, c.item)
	}
	c.item = chunk{}
	return done
}

// indentOf returns how many spaces a line begins with, and what follows.
func indentOf(line []byte) (int, []byte) {
	content := bytes.TrimLeft(line, " ")
	return len(line) - len(content), content
}

// isDash reports whether an item begins with the content of a line.
func isDash(content []byte) bool {
	return len(content) > 0 && content[0] == '-' && (len(content) == 1 || bytes.IndexByte([]byte(" \t\r\n"), content[1]) >= 0)
}

// isContent reports whether there is more than space and a comment.
func isContent(content []byte) bool {
	content = bytes.TrimLeft(content, " \t\r\n")
	return len(content) > 0 && content[0] != '#'
}
