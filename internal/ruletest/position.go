package ruletest

import (
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// metadataLine returns the line of a field of METADATA, such as custom.severity.staging,
// or of what is around it. The METADATA begins at the origin of a rule.
func metadataLine(source fs.FS, at rules.Origin, field string) int {
	first, _, _ := strings.Cut(field, ",")
	var path []any
	for _, step := range strings.FieldsFunc(first, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		if n, err := strconv.Atoi(step); err == nil {
			path = append(path, n)
			continue
		}
		path = append(path, step)
	}
	return at.Line + lineIn(metadataOf(source, at), path)
}

// packageLine returns the line of the package, below the METADATA that begins at an origin.
func packageLine(source fs.FS, at rules.Origin) int {
	data, err := fs.ReadFile(source, at.File)
	if err != nil {
		return at.Line
	}
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "package ") {
			return i + 1
		}
	}
	return at.Line
}

// metadataOf returns the METADATA of a rule as YAML, from the line below "# METADATA" on.
func metadataOf(source fs.FS, at rules.Origin) []byte {
	data, err := fs.ReadFile(source, at.File)
	if err != nil {
		return nil
	}
	var block []string
	lines := strings.Split(string(data), "\n")
	for _, line := range lines[min(at.Line, len(lines)):] {
		text, comment := strings.CutPrefix(line, "#")
		if !comment {
			break
		}
		block = append(block, text)
	}
	return []byte(strings.Join(block, "\n"))
}

// customFields lists what METADATA says below custom.
func customFields(source fs.FS, at rules.Origin) []string {
	var meta struct {
		Custom map[string]yamlv3.Node `yaml:"custom"`
	}
	if err := yamlv3.Unmarshal(metadataOf(source, at), &meta); err != nil {
		return nil // the rule would not have compiled
	}
	return slices.Sorted(maps.Keys(meta.Custom))
}

func exampleLine(folder fs.FS, name string, path release.Path) int {
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		return 1
	}
	return max(lineIn(data, path), 1)
}

// lineIn returns the line of a path in YAML, or of what is around it; zero if there is none.
func lineIn(data []byte, path []any) int {
	var document yamlv3.Node
	if err := yamlv3.Unmarshal(data, &document); err != nil || len(document.Content) == 0 {
		return 0
	}
	node, line := document.Content[0], 0
	for _, step := range path {
		if node, line = below(node, step, line); node == nil {
			break
		}
	}
	return line
}

// below returns a key or an item of a node and its line; nil and the line around it if it
// is not there.
func below(node *yamlv3.Node, step any, around int) (*yamlv3.Node, int) {
	switch at := step.(type) {
	case string:
		for i := 0; node.Kind == yamlv3.MappingNode && i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == at {
				return node.Content[i+1], node.Content[i].Line
			}
		}
	case int:
		if node.Kind == yamlv3.SequenceNode && at < len(node.Content) {
			return node.Content[at], node.Content[at].Line
		}
	}
	return nil, around
}
