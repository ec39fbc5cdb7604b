package flux

import (
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// withoutTraces does something while the files that a build of dir reads are
// as they are written.
func (a *artifact) withoutTraces(dir string, do func() *built) *built {
	s := newSaved()
	defer s.restore()
	files, kusts := a.closure(dir)
	for _, k := range kusts {
		for _, p := range k.patches() {
			if p.file != "" {
				files = append(files, k.resolve(p.file))
			}
		}
	}
	for _, name := range files {
		if data, ok := a.raw[name]; ok && a.kusts[name] == nil {
			s.write(filepath.Join(a.dir, name), data)
		}
	}
	for _, k := range kusts {
		file := filepath.Join(a.dir, k.name)
		if data, err := os.ReadFile(file); err == nil {
			s.write(file, untraceText(data))
		}
	}
	return do()
}

// untrace takes the traces out of an object and out of the patches it holds.
func untrace(object map[string]any) map[string]any {
	data, err := yaml.Marshal(object)
	if err != nil {
		return object
	}
	out := map[string]any{}
	if yaml.Unmarshal(untraceText(data), &out) != nil {
		return object
	}
	return out
}

// untraceText does the same for the text of a patch.
func untraceText(data []byte) []byte {
	nodes, ok := nodesOf(data)
	if !ok || !strings.Contains(string(data), traceKey) {
		return data
	}
	for _, node := range nodes {
		untraceNode(root(node))
	}
	return encode(nodes)
}

func untraceNode(node *yaml.Node) {
	switch node.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(node.Content); {
			key, value := node.Content[i], node.Content[i+1]
			if key.Value == traceKey {
				node.Content = append(node.Content[:i], node.Content[i+2:]...)
				continue
			}
			if value.Kind == yaml.ScalarNode && strings.Contains(value.Value, traceKey) {
				value.SetString(string(untraceText([]byte(value.Value))))
			}
			untraceNode(value)
			i += 2
		}
	case yaml.SequenceNode:
		kept := node.Content[:0]
		for _, item := range node.Content {
			if p := child(item, "path"); p != nil && strings.HasPrefix(p.Value, "/"+traceKey) {
				continue
			}
			if item.Kind == yaml.ScalarNode && strings.Contains(item.Value, traceKey) {
				item.SetString(string(untraceText([]byte(item.Value))))
			}
			untraceNode(item)
			kept = append(kept, item)
		}
		node.Content = kept
	}
}
