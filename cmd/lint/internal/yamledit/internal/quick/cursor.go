package quick

import (
	"bytes"
	"encoding/binary"
)

// cursor is at a line: the open one is the next with content.
type cursor struct {
	line   []byte // of the open line, what is not read yet, without space at either end
	indent int    // the column of line; -1 at the end
	number int    // of the open line
	at     int    // where the open line begins in text
	rest   []byte // the lines after it
	text   []byte // all of it
	lost   bool   // it is not certain what was read
}

// next opens the next line that holds more than space and a comment.
func (r *cursor) next() {
	for len(r.rest) > 0 {
		r.number++
		end := bytes.IndexByte(r.rest, '\n')
		line := r.rest[:end]
		r.rest = r.rest[end+1:]
		indent := 0
		for indent < end && line[indent] == ' ' {
			indent++
		}
		if indent == end || line[indent] == '#' {
			continue
		}
		for line[end-1] == ' ' {
			end--
		}
		r.at = len(r.text) - len(r.rest) - len(line) - 1
		r.indent, r.line = indent, line[indent:end]
		return
	}
	r.line, r.indent, r.at = nil, -1, len(r.text)
}

// Is reports whether a text may be read quickly: it has lines of printable ASCII.
// Some other characters are line breaks for YAML, others are refused.
func Is(text []byte) bool {
	return len(text) > 0 && len(text) <= MaxSize && text[len(text)-1] == '\n' && IsPrintable(text)
}

// IsPrintable reports whether a text is printable ASCII and line feeds.
func IsPrintable(text []byte) bool {
	for len(text) >= 8 {
		if word := binary.LittleEndian.Uint64(text); hasOther(word) {
			if !printableByByte(text[:8]) {
				return false
			}
		}
		text = text[8:]
	}
	return printableByByte(text)
}

// hasOther reports whether one of eight bytes is not printable ASCII, or reports it falsely.
func hasOther(word uint64) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	return (word|(word-ones*' ')&^word|(word+ones))&tops != 0
}

func printableByByte(text []byte) bool {
	for _, c := range text {
		if c > '~' || c < ' ' && c != '\n' {
			return false
		}
	}
	return true
}
