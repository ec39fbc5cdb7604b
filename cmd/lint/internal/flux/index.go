package flux

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// indexed is an object in the tree.
type indexed struct {
	rel    string
	doc    *yamledit.Document
	object map[string]any
}

// named lists the objects in the tree of a name, in order. One without a
// namespace may be in any.
func (l *loader) named(kind, namespace, name string) []indexed {
	if l.index == nil {
		l.makeIndex()
	}
	var out []indexed
	for _, entry := range l.index[kind+"/"+name] {
		if own, _ := nested(entry.object, "metadata", "namespace").(string); own == "" || own == namespace {
			out = append(out, entry)
		}
	}
	return out
}

// nearest finds an object in the tree by its name, near a folder: the one whose
// path shares most with it. Two that are equally near are none.
func (l *loader) nearest(near, kind, namespace, name string) *indexed {
	var best *indexed
	score, tie := -1, false
	for _, entry := range l.named(kind, namespace, name) {
		shared := common(near, path.Dir(entry.rel))
		if shared > score {
			best, score, tie = &entry, shared, false
		} else if shared == score {
			tie = true
		}
	}
	if tie {
		return nil
	}
	return best
}

// common counts the leading folders that two paths share.
func common(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

var lookedUp = [][]byte{[]byte("ConfigMap"), []byte("Secret"), []byte("Repository"), []byte("Bucket"), []byte("ArtifactGenerator")}

func (l *loader) makeIndex() {
	l.index = map[string][]indexed{}
	for _, rel := range l.repo.files {
		if !isManifest(rel) {
			continue
		}
		data, err := l.opts.read(filepath.Join(l.repo.abs, rel))
		if err != nil || !containsAny(data, lookedUp) {
			continue
		}
		file, err := yamledit.Parse(l.repo.name(rel), data)
		if err != nil {
			continue
		}
		each(file, func(doc *yamledit.Document, object map[string]any) {
			kind, _ := object["kind"].(string)
			name, _ := nested(object, "metadata", "name").(string)
			if _, ok := kept[kind]; ok {
				key := kind + "/" + name
				l.index[key] = append(l.index[key], indexed{rel, doc, object})
			}
		})
	}
}

func containsAny(data []byte, words [][]byte) bool {
	for _, word := range words {
		if bytes.Contains(data, word) {
			return true
		}
	}
	return false
}
