package effective

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// trueComments returns the lines of the comments in a file, and in the patches and templates that are
// written in it as text: what stands in any other string is none. It returns false where that cannot
// be told: something of it is no YAML.
func trueComments(data []byte) (map[string]bool, bool) {
	c := comments{lines: map[string]bool{}}
	return c.lines, c.read(data, mostNested)
}

// mostNested is how deep patches are followed that stand in patches.
const mostNested = 10

// holdYAML are the keys of strings that are YAML with lines of their own.
var holdYAML = []string{"patch", "patchesStrategicMerge", "resourcesTemplate"}

// comments are those of a file.
type comments struct{ lines map[string]bool }

// read adds the comments of a text, and reports whether all of it is YAML.
func (c comments) read(data []byte, deep int) bool {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var document yaml.Node
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF):
			return true
		case err != nil || !c.add(&document, "", deep):
			return false
		}
	}
}

// add adds the comments of a node that is under a key.
func (c comments) add(n *yaml.Node, key string, deep int) bool {
	for _, text := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		for line := range strings.Lines(text) {
			c.lines[strings.Trim(line, "# \t\r\n")] = true
		}
	}
	if n.Kind == yaml.ScalarNode && slices.Contains(holdYAML, key) && (deep == 0 || !c.read([]byte(n.Value), deep-1)) {
		return false
	}
	for i, inner := range n.Content {
		under := key
		if n.Kind == yaml.MappingNode {
			if under = ""; i%2 == 1 {
				under = n.Content[i-1].Value
			}
		}
		if !c.add(inner, under, deep) {
			return false
		}
	}
	return true
}
