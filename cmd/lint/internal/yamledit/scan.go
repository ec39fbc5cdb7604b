package yamledit

import "bytes"

func isSpace(c byte) bool { return bytes.IndexByte([]byte(" \t\r\n"), c) >= 0 }

// endOfWord returns the offset of the next space.
func (l lines) endOfWord(at int) int {
	for at < len(l.text) && !isSpace(l.text[at]) {
		at++
	}
	return at
}

// skipSpace returns the offset after space, line breaks and comments.
func (l lines) skipSpace(at int) int {
	for at < len(l.text) {
		switch n := yamlBreak(l.text[at:]); {
		case n > 0:
			at += n
		case isSpace(l.text[at]):
			at++
		case l.text[at] == '#' && (at == 0 || isSpace(l.text[at-1])):
			at = l.endOfLine(at)
		default:
			return at
		}
	}
	return at
}

// skipProperties returns the offset of what follows the anchor and the tag of
// a node.
func (l lines) skipProperties(at int) int {
	for at < len(l.text) && (l.text[at] == '&' || l.text[at] == '!') {
		at = l.skipSpace(l.endOfWord(at))
	}
	return at
}

// endOfProperties returns the offset after the anchor and the tag of a node
// that has no value.
func (l lines) endOfProperties(at int) int {
	end := at
	for at < len(l.text) && (l.text[at] == '&' || l.text[at] == '!') {
		end = l.endOfWord(at)
		for at = end; at < len(l.text) && (l.text[at] == ' ' || l.text[at] == '\t'); {
			at++
		}
	}
	return end
}

// endOfDouble returns the offset after the closing double quote.
func (l lines) endOfDouble(at int) int {
	for ; at < len(l.text); at++ {
		switch l.text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(l.text)
}

// endOfSingle returns the offset after the closing single quote.
func (l lines) endOfSingle(at int) int {
	for ; at < len(l.text); at++ {
		if l.text[at] != '\'' {
			continue
		}
		if at+1 == len(l.text) || l.text[at+1] != '\'' {
			return at + 1
		}
		at++
	}
	return len(l.text)
}
