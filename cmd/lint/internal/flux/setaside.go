package flux

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/resid"
)

var missing = regexp.MustCompile(`failed to find unique target for patch (\S+)`)

func missingTarget(err error) (string, bool) {
	m := missing.FindStringSubmatch(err.Error())
	if m == nil {
		return "", false
	}
	return strings.TrimRight(m[1], `",`), true
}

// saved are files of the copy that are changed for one build.
type saved map[string][]byte

func newSaved() saved { return saved{} }

func (s saved) missing(file string) { s[file] = nil }

func (s saved) write(file string, data []byte) {
	if _, ok := s[file]; !ok {
		s[file], _ = os.ReadFile(file)
	}
	_ = os.WriteFile(file, data, 0o600)
}

func (s saved) restore() {
	for file, data := range s {
		if data == nil {
			_ = os.Remove(file)
			continue
		}
		_ = os.WriteFile(file, data, 0o600)
	}
}

// cut takes the strategic merge patch of an id out of the kustomization.yaml
// files.
func (s saved) cut(files []string, id string) bool {
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		nodes, ok := nodesOf(data)
		if !ok || len(nodes) == 0 {
			continue
		}
		if cutPatch(root(nodes[0]), filepath.Dir(file), id) {
			s.write(file, encode(nodes[:1]))
			return true
		}
	}
	return false
}

func cutPatch(kust *yaml.Node, dir, id string) bool {
	for _, field := range []string{"patchesStrategicMerge", "patches"} {
		list := child(kust, field)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		for i, item := range list.Content {
			if slices.Contains(idsOf(patchText(item, dir)), id) {
				list.Content = slices.Delete(list.Content, i, i+1)
				return true
			}
		}
	}
	return false
}

// patchText gives the text of an entry of patches or patchesStrategicMerge.
func patchText(item *yaml.Node, dir string) []byte {
	file := item.Value
	if item.Kind == yaml.MappingNode {
		if child(item, "target") != nil {
			return nil
		}
		if text := child(item, "patch"); text != nil {
			return []byte(text.Value)
		}
		if p := child(item, "path"); p != nil {
			file = p.Value
		}
	}
	if strings.Contains(file, "\n") {
		return []byte(file)
	}
	data, _ := os.ReadFile(filepath.Join(dir, file))
	return data
}

// idsOf gives the ids of the objects in a stream, as kustomize writes them.
func idsOf(data []byte) []string {
	nodes, _ := nodesOf(data)
	var out []string
	for _, node := range nodes {
		var object struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string
			Metadata   struct{ Name, Namespace string }
		}
		if node.Decode(&object) != nil {
			continue
		}
		group, version := resid.ParseGroupVersion(object.APIVersion)
		gvk := resid.NewGvk(group, version, object.Kind)
		out = append(out, resid.NewResIdWithNamespace(gvk, object.Metadata.Name, object.Metadata.Namespace).String())
	}
	return out
}
