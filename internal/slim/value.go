package slim

import "strings"

// value copies any value. It does not recurse: depth costs a byte a level.
func (s *scanner) value() {
	s.open = s.open[:0]
	for s.err == nil {
		if s.begin() {
			continue
		}
		if s.after() {
			return
		}
	}
}

// begin copies a scalar or the begin of a list or an object, and reports whether
// another value follows at once: the first inside.
func (s *scanner) begin() bool {
	s.count()
	c := s.token()
	switch c {
	case '{', '[':
		return s.enter(c)
	case '"':
		s.text()
	case 't':
		s.word("true")
	case 'f':
		s.word("false")
	case 'n':
		s.word("null")
	default:
		s.number()
	}
	return false
}

// count counts a value, within the limits if it is not left out.
func (s *scanner) count() {
	s.values++
	if !s.aside && s.values > s.limits.Values {
		s.fail(ErrLarge)
	}
}

// enter goes into a list or an object and reports whether it holds anything.
func (s *scanner) enter(c byte) bool {
	if len(s.open) >= maxDepth {
		s.fail(ErrDepth)
		return false
	}
	s.next()
	end := c + 2 // both ends are two characters after their begin
	if s.token() == end {
		s.next()
		return false
	}
	s.open = append(s.open, end)
	s.member()
	return true
}

// member copies the key of a member, if what is open is an object.
func (s *scanner) member() {
	if s.open[len(s.open)-1] == '}' {
		s.token()
		s.text()
		s.expect(':')
	}
}

// after copies what follows a value, up to the next one, and reports whether there is
// no next one because nothing is open.
func (s *scanner) after() bool {
	for len(s.open) > 0 {
		switch c := s.token(); c {
		case ',':
			s.next()
			s.member()
			return false
		case s.open[len(s.open)-1]:
			s.next()
			s.open = s.open[:len(s.open)-1]
		default:
			s.wrong(c, "after a value")
			return true
		}
	}
	return true
}

// key copies a key and returns it as it is written; empty if it is longer than any that
// matters.
func (s *scanner) key() []byte {
	s.token()
	if key := s.plainKey(); key != nil {
		return key
	}
	s.seen = s.seen[:0]
	s.watch = true
	s.text()
	s.watch = false
	if len(s.seen) > maxKey {
		return nil
	}
	return s.seen
}

// plainKey copies a key that was read to its end and has no escape; nil if it is not so. What
// it returns holds until more is read.
func (s *scanner) plainKey() []byte {
	if s.at >= s.end || s.window[s.at] != '"' {
		return nil
	}
	for i := s.at + 1; i < min(s.end, s.at+maxKey); i++ {
		switch c := s.window[i]; {
		case c == '"':
			key := s.window[s.at : i+1]
			s.at = i + 1
			return key
		case c == '\\', c < ' ':
			return nil
		}
	}
	return nil
}

// text copies a string.
func (s *scanner) text() {
	if c := s.peek(); c != '"' {
		s.wrong(c, "want a string")
		return
	}
	s.step()
	for s.err == nil {
		switch c := s.peek(); {
		case c == '"':
			s.step()
			return
		case c == '\\':
			s.step()
			s.escape()
		case c < ' ':
			s.wrong(c, "in a string")
		case s.watch:
			s.step()
		default:
			s.plain()
		}
	}
}

// plain goes past the characters of a string that were read and are as they are.
func (s *scanner) plain() {
	for s.at < s.end {
		if c := s.window[s.at]; c == '"' || c == '\\' || c < ' ' {
			return
		}
		s.at++
	}
}

// escape copies what follows a backslash.
func (s *scanner) escape() {
	c := s.peek()
	if c == 0 || !strings.ContainsRune(`"\/bfnrtu`, rune(c)) {
		s.wrong(c, "in an escape")
		return
	}
	s.step()
	if c != 'u' {
		return
	}
	for range 4 {
		if c := s.peek(); !hexadecimal(c) {
			s.wrong(c, "in an escape")
			return
		}
		s.step()
	}
}

func hexadecimal(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// step goes past a byte of a string.
func (s *scanner) step() {
	if s.watch && len(s.seen) <= maxKey {
		s.seen = append(s.seen, s.peek())
	}
	s.next()
}

// word copies true, false or null.
func (s *scanner) word(want string) {
	for i := range len(want) {
		if c := s.peek(); c != want[i] {
			s.wrong(c, "want "+want)
			return
		}
		s.next()
	}
}

// number copies a number.
func (s *scanner) number() {
	if s.peek() == '-' {
		s.next()
	}
	if s.peek() == '0' {
		s.next()
	} else {
		s.digits()
	}
	if s.peek() == '.' {
		s.next()
		s.digits()
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.next()
		if c := s.peek(); c == '+' || c == '-' {
			s.next()
		}
		s.digits()
	}
}

// digits copies at least one.
func (s *scanner) digits() {
	if c := s.peek(); c < '0' || c > '9' {
		s.wrong(c, "want a value")
		return
	}
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.next()
	}
}
