package printed

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Objects reads the objects of a stream: its documents and, of those that are lists, the
// items. One that cannot be read is an error, and hides no other.
func Objects(name string, r io.Reader) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		in := bufio.NewReaderSize(r, yamledit.MaxDocumentSize+1)
		head, err := in.Peek(yamledit.MaxDocumentSize + 1)
		all := yamlObjects(name, in)
		if err == nil && bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) {
			all = jsonObjects(in)
		}
		for object, err := range all {
			if err != nil {
				err = fmt.Errorf("read %s: %w", name, err)
			}
			if !yield(object, err) {
				return
			}
		}
	}
}

func yamlObjects(name string, in *bufio.Reader) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		for c, err := range chunks(in) {
			if err != nil {
				yield(nil, err)
				return
			}
			for object, err := range c.objects(name) {
				if !yield(object, err) {
					return
				}
			}
		}
	}
}

func (c chunk) objects(name string) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		file, err := yamledit.Parse(name, c.text)
		if err != nil {
			yield(nil, c.explain(err))
			return
		}
		for _, document := range file.Documents {
			object, err := document.Object()
			if err != nil {
				if !yield(nil, c.explain(err)) {
					return
				}
				continue
			}
			for _, one := range items(object) {
				if !yield(one, nil) {
					return
				}
			}
		}
	}
}

// explain says which object an error is about, unless its lines are those of the file.
func (c chunk) explain(err error) error {
	if c.line == 1 {
		return err
	}
	return fmt.Errorf("in what begins on line %d: %w", c.line, err)
}

// items returns the items of a list, which may be lists, or an object itself.
func items(object map[string]any) []map[string]any {
	list, ok := object["items"].([]any)
	kind, _ := object["kind"].(string)
	switch {
	case object == nil: // an empty document
		return nil
	case !ok || kind != "" && !strings.HasSuffix(kind, "List"):
		return []map[string]any{object}
	}
	var all []map[string]any
	for _, item := range list {
		if one, ok := item.(map[string]any); ok {
			all = append(all, items(one)...)
		}
	}
	return all
}
