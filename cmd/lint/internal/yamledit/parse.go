package yamledit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit/internal/quick"
)

// Parse splits a YAML or JSON stream into documents. It returns an error only
// for the file as a whole: too large, binary, not UTF-8, too many documents. A
// file of comments has no documents. An empty document between two markers is
// a document.
func Parse(name string, data []byte) (*File, error) {
	return new(Reader).Parse(name, func() []byte { return data })
}

// Parse is [Parse] for a text that the file asks for whenever it needs it, and that must be
// the same each time.
func (r *Reader) Parse(name string, text func() []byte) (*File, error) {
	data := text()
	switch {
	case len(data) > MaxFileSize:
		return nil, fmt.Errorf("file of %d bytes is larger than the limit of %d", len(data), MaxFileSize)
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return nil, errors.New("text in UTF-16, not UTF-8: save it as UTF-8")
	case bytes.IndexByte(data, 0) >= 0:
		return nil, errors.New("binary file, or text that is not UTF-8")
	case !utf8.Valid(data):
		return nil, fmt.Errorf("not UTF-8: invalid byte on line %d", invalidLine(data))
	}
	f := &File{Name: name, text: text}
	if err := f.parse(r); err != nil {
		return nil, err
	}
	return f, nil
}

// invalidLine returns the line of the first byte that is not UTF-8.
func invalidLine(data []byte) int {
	for i := 0; ; {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return 1 + bytes.Count(data[:i], []byte("\n"))
		}
		i += size
	}
}

// parse reads the documents of the file's data.
func (f *File) parse(r *Reader) error {
	data := f.Data()
	lines := f.lines() // kept until all documents have their place
	spans := split(data)
	if len(spans) > MaxDocuments {
		return fmt.Errorf("file of %d documents is over the limit of %d", len(spans), MaxDocuments)
	}
	for i, s := range spans {
		f.Documents = append(f.Documents, r.document(f, i, s, data[s.start:s.end]))
	}
	runtime.KeepAlive(lines)
	return nil
}

func read(text []byte) (*tree, *fault) {
	if root, ok := quick.Read(text, false); ok {
		return &tree{lines: newLines(text, yamlBreak), root: root}, nil
	}
	return parse(text)
}

// parse parses the text of one document and checks its nodes.
func parse(text []byte) (t *tree, f *fault) {
	if len(text) > MaxDocumentSize {
		return nil, &fault{message: fmt.Sprintf("document of %d bytes is larger than the limit of %d", len(text), MaxDocumentSize)}
	}
	defer func() { // the parser panics on states that it does not expect
		if p := recover(); p != nil {
			t, f = nil, &fault{message: fmt.Sprint("the YAML parser failed: ", p)}
		}
	}()
	root, err := parseNode(text)
	t = &tree{lines: newLines(text, yamlBreak), root: root}
	if err != nil {
		return nil, t.parserFault(err)
	}
	if f := check(t); f != nil {
		return nil, f
	}
	return t, nil
}

// parseNode returns the root of a text that must hold one document, nil if it
// is empty.
func parseNode(text []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, more yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(&more); err == nil {
		return nil, fmt.Errorf("yaml: line %d: content after the end of the document", more.Line)
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return document.Content[0], nil
}

var parserError = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`) })

// parserFault finds the place of an error of the YAML parser, which names at
// most a line.
func (l lines) parserFault(err error) *fault {
	line, message := 1, err.Error()
	if m := parserError().FindStringSubmatch(message); m != nil {
		message = m[2]
		line, _ = strconv.Atoi(m[1])
	}
	if name, ok := strings.CutPrefix(message, "unknown anchor '"); ok {
		name, _, _ = strings.Cut(name, "'")
		if at := bytes.Index(l.text, []byte("*"+name)); at >= 0 {
			return &fault{at, message}
		}
	}
	at := l.starts[min(max(line, 1), len(l.starts))-1]
	at += len(l.text[at:]) - len(bytes.TrimLeft(l.text[at:], " \t"))
	return &fault{at, message}
}

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
