package slim

import (
	"fmt"
	"hash"
	"io"
)

const (
	// windowSize is as much as net/http reads at once.
	windowSize = 4 << 10
	// maxKey is the longest key that is compared: longer than any of a tree, even
	// with each character written as an escape.
	maxKey = 256
)

// scanner checks a document and copies it. After an error and after
// the end it reads zeros, which are valid nowhere, so that every loop ends.
type scanner struct {
	source io.Reader
	window []byte // what was read last
	at     int    // the next byte in it
	from   int    // the first byte in it that is not copied yet
	end    int
	ended  bool
	err    error

	aside  bool      // what is read is left out
	hash   hash.Hash // what is left out goes through it, if set
	left   []byte
	values int
	limits Limits
	watch  bool // the string that is read is a key: it goes to seen too
	seen   []byte
	open   []byte // the ends of the lists and objects of the value that is read
}

// peek returns the next byte.
func (s *scanner) peek() byte {
	if s.at < s.end {
		return s.window[s.at]
	}
	return s.fill()
}

// fill reads on and returns the next byte.
func (s *scanner) fill() byte {
	if s.err != nil || s.ended {
		return 0
	}
	s.flush()
	n, err := s.source.Read(s.window)
	for n == 0 && err == nil {
		n, err = s.source.Read(s.window)
	}
	s.at, s.from, s.end = 0, 0, n
	switch {
	case n > 0:
		return s.window[0]
	case err == io.EOF:
		s.ended = true
	default:
		s.fail(err)
	}
	return 0
}

// flush passes on what was read.
func (s *scanner) flush() {
	read := s.window[s.from:s.at]
	s.from = s.at
	switch {
	case !s.aside:
		s.keep(read)
	case s.hash != nil:
		_, _ = s.hash.Write(read) // a hash returns no error
	}
}

// keep adds to what is left, within the limits.
func (s *scanner) keep(text []byte) {
	before, after := len(s.left), len(s.left)+len(text)
	if after > s.limits.Bytes {
		s.fail(ErrLarge)
		return
	}
	if grow := s.limits.Grow; grow != nil && before <= s.limits.Above && after > s.limits.Above {
		if err := grow(); err != nil {
			s.fail(err)
			return
		}
	}
	s.left = append(s.left, text...)
}

// fail keeps the first error.
func (s *scanner) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.at, s.from, s.end = 0, 0, 0
}

// next goes past the next byte, which must have been seen.
func (s *scanner) next() {
	if s.err == nil {
		s.at++
	}
}

// token skips white space and returns the byte after it.
func (s *scanner) token() byte {
	for {
		switch c := s.peek(); c {
		case ' ', '\t', '\r', '\n':
			s.next()
		default:
			return c
		}
	}
}

// expect goes past one byte after white space.
func (s *scanner) expect(want byte) {
	if c := s.token(); c != want {
		s.wrong(c, fmt.Sprintf("want %q", want))
		return
	}
	s.next()
}

// wrong fails because of the byte that was seen.
func (s *scanner) wrong(c byte, why string) {
	if s.ended {
		s.fail(fmt.Errorf("%w: unexpected end of JSON", ErrSyntax))
		return
	}
	s.fail(fmt.Errorf("%w: character %q: %s", ErrSyntax, c, why))
}

// finish makes sure that nothing follows.
func (s *scanner) finish() {
	s.flush()
	s.aside = true
	if c := s.token(); !s.ended {
		s.wrong(c, "after top-level value")
	}
}
