package yamledit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// keepTree is the size in bytes up to which the nodes of a document are kept;
// those of a larger one are made again when they are first asked for.
const keepTree = 64 << 10

var bom = []byte("\ufeff")

// Parse splits a YAML or JSON stream into documents. It fails only for what
// concerns the whole file: too large, binary, not UTF-8, too many documents. A
// file of comments has no documents; an empty document between two markers is
// one.
func Parse(name string, data []byte) (*File, error) {
	switch {
	case len(data) > MaxFileSize:
		return nil, fmt.Errorf("file of %d bytes is larger than the limit of %d", len(data), MaxFileSize)
	case bytes.IndexByte(data, 0) >= 0:
		return nil, errors.New("binary file, or text that is not UTF-8")
	case !utf8.Valid(data):
		return nil, fmt.Errorf("not UTF-8: invalid byte on line %d", invalidLine(data))
	}
	return parse(&File{Name: name, Data: data})
}

func invalidLine(data []byte) int {
	for i := 0; ; {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return 1 + bytes.Count(data[:i], []byte("\n"))
		}
		i += size
	}
}

func parse(f *File) (*File, error) {
	f.lines = lineStarts(f.Data, editorBreak)
	spans := split(f.Data)
	if len(spans) > MaxDocuments {
		return nil, fmt.Errorf("file of %d documents is over the limit of %d", len(spans), MaxDocuments)
	}
	for i, s := range spans {
		f.Documents = append(f.Documents, f.document(i, s))
	}
	return f, nil
}

// document reads the bytes of one document.
func (f *File) document(index int, s span) *Document {
	d := &Document{File: f, Index: index, start: s.start, end: s.end}
	d.Line = d.position(s.content - s.start).Line
	t, err := d.read()
	if err != nil {
		d.Err = err
		return d
	}
	if s.end-s.start <= keepTree {
		d.tree = func() *tree { return t }
		return d
	}
	d.tree = sync.OnceValue(func() *tree {
		again, _ := d.read() // it could be read before
		return again
	})
	return d
}

// read makes the nodes of a document and checks them.
func (d *Document) read() (t *tree, err error) {
	text := d.File.Data[d.start:d.end]
	if len(text) > MaxDocumentSize {
		return nil, d.fault(0, fmt.Sprintf("document of %d bytes is larger than the limit of %d", len(text), MaxDocumentSize))
	}
	defer func() { // the parser panics where it takes a state for impossible
		if p := recover(); p != nil {
			t, err = nil, d.fault(0, fmt.Sprint("the YAML parser failed: ", p))
		}
	}()
	t = &tree{text: text, lines: lineStarts(text, yamlBreak)}
	root, err := single(text)
	if err != nil {
		return nil, d.syntaxError(t, err)
	}
	t.root = root
	if fault := t.check(); fault != nil {
		return nil, d.fault(t.offset(fault.node), fault.message)
	}
	return t, nil
}

// single decodes text that must hold one document; nil if it is empty.
func single(text []byte) (*yaml.Node, error) {
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

var parserError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// syntaxError gives an error of the YAML parser its place: it tells a line of
// the document at most.
func (d *Document) syntaxError(t *tree, err error) error {
	line, message := 1, err.Error()
	if m := parserError.FindStringSubmatch(message); m != nil {
		message = m[2]
		line, _ = strconv.Atoi(m[1])
	}
	if name, ok := strings.CutPrefix(message, "unknown anchor '"); ok {
		name, _, _ = strings.Cut(name, "'")
		if at := bytes.Index(t.text, []byte("*"+name)); at >= 0 {
			return d.fault(at, message)
		}
	}
	at := t.lines[min(max(line, 1), len(t.lines))-1]
	at += len(t.text[at:]) - len(bytes.TrimLeft(t.text[at:], " \t"))
	return d.fault(at, message)
}

// fault makes an error at an offset in the document.
func (d *Document) fault(offset int, message string) error {
	p := d.position(offset)
	return &SyntaxError{Line: p.Line, Column: p.Column, Message: message}
}

func (d *Document) position(offset int) Position {
	p, _ := d.File.position(d.start + offset)
	return p
}
