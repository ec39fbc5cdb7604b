package yamledit

import (
	"bytes"
	"encoding/json"
)

// span is the place of a document in a file. Its content begins after comments,
// directives and the marker.
type span struct{ start, content, end int }

// split returns the documents of a stream. A line that begins with --- or ...
// ends a document, even inside a string.
func split(data []byte) []span {
	start := 0
	if bytes.HasPrefix(data, bom) {
		start = len(bom)
	}
	if spans := splitJSON(data, start); spans != nil {
		return spans
	}
	var spans []span
	l := newLines(data, yamlBreak)
	open := span{start: start, content: -1}
	marked := false // whether the open document has its --- line
	finish := func(at int) {
		if open.end = at; open.content < 0 && marked {
			open.content = open.start
		}
		if open.content >= 0 {
			spans = append(spans, open)
			open = span{start: at, content: -1}
		}
		marked = false
	}
	for i, at := range l.starts {
		line := data[max(at, start):l.nextLine(i)]
		switch {
		case isMarker(line, "---"):
			if marked || open.content >= 0 {
				finish(at)
			}
			marked = true
			if hasContent(line[3:]) {
				open.content = at
			}
		case isMarker(line, "..."):
			finish(l.nextLine(i))
			open.start = l.nextLine(i)
		case open.content < 0 && hasContent(line) && (marked || line[0] != '%'):
			open.content = max(at, start)
		}
	}
	finish(len(data))
	return spans
}

func isMarker(line []byte, marker string) bool {
	rest, ok := bytes.CutPrefix(line, []byte(marker))
	return ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t' || yamlBreak(rest) > 0)
}

// hasContent reports whether a line holds more than space and a comment.
func hasContent(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 0 && line[0] != '#' && yamlBreak(line) == 0
}

// splitJSON returns the documents of a stream of two or more JSON objects that
// begin on lines of their own, nil for any other stream.
func splitJSON(data []byte, start int) []span {
	text := data[start:]
	if trimmed := bytes.TrimLeft(text, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return nil
	}
	var spans []span
	decoder := json.NewDecoder(bytes.NewReader(text))
	for end := 0; decoder.More(); {
		var object map[string]json.RawMessage
		if decoder.Decode(&object) != nil || object == nil { // null is no object
			return nil
		}
		content := end + bytes.IndexByte(text[end:], '{')
		if end > 0 && !bytes.ContainsAny(text[end:content], "\r\n") {
			return nil
		}
		end = int(decoder.InputOffset())
		spans = append(spans, span{start + content, start + content, start + end})
	}
	if len(spans) < 2 {
		return nil
	}
	return spans
}
