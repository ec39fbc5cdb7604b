package effective

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// texts are what a file has in its comments and in its strings. A parser may lose a comment, but no string:
// what looks like a comment is none if it is in a string and in no comment.
type texts struct {
	comments map[string]bool
	strings  map[string]bool // by their first words
}

// textsOf returns the texts of a file. Strings that are YAML themselves, such as patches, are read as
// that. It returns nothing of what cannot be parsed.
func textsOf(data []byte) texts {
	t := texts{map[string]bool{}, map[string]bool{}}
	t.read(data, mostNested)
	return t
}

// comment reports whether a text that looks like a comment is one.
func (t texts) comment(text string) bool {
	return t.comments[text] || !t.strings[strings.Join(firstWords(text), " ")]
}

// mostNested is how deep patches are followed that stand in patches.
const mostNested = 10

// holdYAML are the keys of strings that are YAML with lines of their own.
var holdYAML = []string{"patch", "patchesStrategicMerge", "resourcesTemplate"}

// read adds what is in a text, and reports whether it is YAML.
func (t texts) read(data []byte, deep int) bool {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for first := true; ; first = false {
		var document yaml.Node
		if decoder.Decode(&document) != nil {
			return !first
		}
		t.add(&document, "", deep)
	}
}

// add adds what is in a node that is under a key.
func (t texts) add(n *yaml.Node, key string, deep int) {
	for _, text := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		for line := range strings.Lines(text) {
			t.comments[strings.Trim(line, "# \t\r\n")] = true
		}
	}
	if n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "flux-remedy") {
		if isYAML := slices.Contains(holdYAML, key) && deep > 0 && t.read([]byte(n.Value), deep-1); !isYAML {
			t.addString(n.Value)
		}
	}
	for i, inner := range n.Content {
		under := key
		if n.Kind == yaml.MappingNode {
			if under = ""; i%2 == 1 {
				under = n.Content[i-1].Value
			}
		}
		t.add(inner, under, deep)
	}
}

// addString adds what looks like a comment in a string, whose lines may have been joined.
func (t texts) addString(text string) {
	for {
		at := strings.Index(text, "flux-remedy")
		if at < 0 {
			return
		}
		text = text[at:]
		words := firstWords(text[:min(len(text), 1000)])
		for n := range words {
			t.strings[strings.Join(words[:n+1], " ")] = true
		}
		text = text[len("flux-remedy"):]
	}
}

// firstWords returns the words of a text up to the day of a waiver, or to the end of its string.
func firstWords(text string) []string {
	if end := strings.IndexAny(text, `"'`); end >= 0 {
		text = text[:end]
	}
	words := strings.Fields(text)
	return words[:min(len(words), 5)]
}
