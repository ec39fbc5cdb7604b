package yamledit

import (
	"bytes"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit/internal/quick"
)

// Reader reads many files, and keeps but once what many of them have in common. The zero
// Reader is ready to use. It is not safe for concurrent use, what it returns is.
type Reader struct {
	nodes  []yaml.Node       // of the document that is read
	texts  map[string]string // short texts, by what they are
	fields map[string]any    // fields of spec, by the lines they are written in
}

// Limits of what a Reader keeps. It begins anew when it has that many.
const (
	keptTexts  = 4096
	keptFields = 512
	longText   = 40
	longField  = 512
)

func (r *Reader) document(f *File, index int, s span, text []byte) *Document {
	d := &Document{File: f, Index: index, start: s.start, end: s.end, memo: &memo{}}
	content, _ := d.position(s.content - s.start)
	d.Line = content.Line
	if r.quickly(d.memo, text) {
		return d
	}
	t, fault := read(text)
	if fault != nil {
		d.Err = d.syntaxError(fault)
		return d
	}
	if s.end-s.start <= keptSize {
		d.memo.kept, d.memo.object = t, sync.OnceValues(d.Object)
	}
	return d
}

// quickly reports whether it has read what is shared of a document. Values that may be
// those of a chart that sets up Flux are part of it.
func (r *Reader) quickly(k *memo, text []byte) bool {
	if !quick.Is(text) {
		return false
	}
	if r.nodes == nil {
		r.nodes = make([]yaml.Node, 256)
	}
	q := &quick.Reader{Lean: !bytes.Contains(text, []byte("instance:")), Keep: r.text, Room: r.nodes}
	root, ok := q.Read(text)
	if !ok {
		return false
	}
	object, fault := r.object(root, q)
	if fault != nil {
		return false
	}
	k.quickly, k.without, k.values = true, q.Lean, q.Values
	k.object = func() (map[string]any, error) { return object, nil }
	return true
}

// object decodes the root of a document that is read quickly.
func (r *Reader) object(root *yaml.Node, q *quick.Reader) (map[string]any, *fault) {
	t := &tree{}
	object := make(map[string]any, len(root.Content)/2)
	for i := 0; i < len(root.Content); i += 2 {
		name, field := root.Content[i].Value, root.Content[i+1]
		var fault *fault
		if name == "spec" && field.Kind == yaml.MappingNode && q.Field(0) != nil {
			object[name], fault = r.spec(t, field, q)
		} else {
			object[name], fault = t.decode(field)
		}
		if fault != nil {
			return nil, fault
		}
	}
	return object, nil
}

// spec decodes a spec. What is in its fields is one and the same wherever the same lines
// stand.
func (r *Reader) spec(t *tree, spec *yaml.Node, q *quick.Reader) (map[string]any, *fault) {
	out := make(map[string]any, len(spec.Content)/2)
	for i := 0; i < len(spec.Content); i += 2 {
		lines := q.Field(i / 2)
		name, field := spec.Content[i].Value, spec.Content[i+1]
		shared := field.Kind != yaml.ScalarNode && len(lines) <= longField
		if value, ok := r.fields[string(lines)]; ok && shared {
			out[name] = value
			continue
		}
		value, fault := t.decode(field)
		if fault != nil {
			return nil, fault
		}
		if out[name] = value; shared {
			r.fields = remember(r.fields, string(lines), value, keptFields)
		}
	}
	return out, nil
}

// text returns a text, which is one and the same wherever it stands if it is short.
func (r *Reader) text(of []byte) string {
	if len(of) > longText {
		return string(of)
	}
	if known, ok := r.texts[string(of)]; ok {
		return known
	}
	text := string(of)
	r.texts = remember(r.texts, text, text, keptTexts)
	return text
}

// remember adds an entry to a map of at most so many.
func remember[V any](known map[string]V, key string, value V, most int) map[string]V {
	if known == nil || len(known) >= most {
		known = map[string]V{}
	}
	known[key] = value
	return known
}
