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

	"go.yaml.in/yaml/v3"
)

// read reads the text of one document.
func read(text []byte) (*tree, *fault) {
	if root, ok := quick(text, false); ok {
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
