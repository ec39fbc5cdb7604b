package kustomize

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

var noTarget = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`failed to find unique target for patch (\S+)`) })

// missingTarget reports whether a build failed because the target of a strategic merge
// patch is missing, and returns the id of that target.
func missingTarget(err error) (string, bool) {
	m := noTarget().FindStringSubmatch(err.Error())
	if m == nil {
		return "", false
	}
	return strings.TrimRight(m[1], `",`), true
}

// cutPatches removes the first patch of a target from the kustomization.yaml files, and
// reports whether there was one.
func cutPatches(files fileSystem, kusts []string, id string) bool {
	for _, kust := range kusts {
		data, err := files.ReadFile(kust)
		if err != nil {
			continue
		}
		nodes, ok := trace.Nodes(data)
		if ok && len(nodes) > 0 && cutPatch(trace.Root(nodes[0]), files, path.Dir(kust), id) {
			files.over[kust] = trace.Encode(nodes[:1])
			return true
		}
	}
	return false
}

func cutPatch(kust *yaml.Node, files fileSystem, dir, id string) bool {
	for _, field := range []string{"patchesStrategicMerge", "patches"} {
		list := trace.Child(kust, field)
		if list == nil || list.Kind != yaml.SequenceNode {
			continue
		}
		for i, item := range list.Content {
			if slices.Contains(idsOf(patchText(item, files, dir)), id) {
				list.Content = slices.Delete(list.Content, i, i+1)
				return true
			}
		}
	}
	return false
}

// patchText returns the text of an entry of patches or patchesStrategicMerge
// that names its target itself.
func patchText(item *yaml.Node, files fileSystem, dir string) []byte {
	file := item.Value
	if item.Kind == yaml.MappingNode {
		if trace.Child(item, "target") != nil {
			return nil
		}
		if text := trace.Child(item, "patch"); text != nil {
			return []byte(text.Value)
		}
		if p := trace.Child(item, "path"); p != nil {
			file = p.Value
		}
	}
	if strings.Contains(file, "\n") {
		return []byte(file)
	}
	data, _ := files.ReadFile(path.Join(dir, file))
	return data
}

// idsOf returns the ids of the objects in a stream, as kustomize writes them.
func idsOf(data []byte) []string {
	nodes, _ := trace.Nodes(data)
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
