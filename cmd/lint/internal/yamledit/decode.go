package yamledit

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/yaml"
)

// Object gives the document in the shapes of JSON: integers as int64, other
// numbers as float64. Scalars mean what they mean to the cluster
// (sigs.k8s.io/yaml: y is true, 010 is 8), merge keys what they mean to
// kustomize (a key that is written wins). It is nil for an empty document, and
// an error for one that cannot be read or is no mapping. Each call makes a new
// map.
func (d *Document) Object() (map[string]any, error) {
	value, err := d.Decode()
	if value == nil || err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("line %d: document is no mapping", d.Line)
	}
	return object, nil
}

// Decode is Object for a root of any kind: a mapping, a list or a scalar.
func (d *Document) Decode() (any, error) {
	if d.Err != nil {
		return nil, d.Err
	}
	root := d.root()
	if root == nil {
		return nil, nil
	}
	value, fault := decode(root)
	if fault != nil {
		return nil, d.fault(d.tree().offset(fault.node), fault.message)
	}
	return value, nil
}

func (d *Document) root() *yaml.Node {
	if d.part != nil || d.Err != nil {
		return d.part
	}
	return d.tree().root
}

func decode(n *yaml.Node) (any, *fault) {
	switch n = target(n); n.Kind {
	case yaml.MappingNode:
		object := make(map[string]any, len(n.Content)/2)
		return object, decodeInto(object, n)
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			value, fault := decode(item)
			if fault != nil {
				return nil, fault
			}
			list[i] = value
		}
		return list, nil
	}
	value, err := scalar(n)
	if err != nil {
		return nil, &fault{n, err.Error()}
	}
	return value, nil
}

// decodeInto writes the fields of a mapping over those that it merges.
func decodeInto(object map[string]any, mapping *yaml.Node) *fault {
	sources := mergedInto(mapping)
	for i := len(sources) - 1; i >= 0; i-- {
		if fault := decodeInto(object, sources[i]); fault != nil {
			return fault
		}
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		if isMerge(key) {
			continue
		}
		name, err := keyName(key)
		if err != nil {
			return &fault{key, err.Error()}
		}
		value, fault := decode(mapping.Content[i+1])
		if fault != nil {
			return fault
		}
		object[name] = value
	}
	return nil
}

// keyName gives the name that a key has for the cluster.
func keyName(key *yaml.Node) (string, error) {
	key = target(key)
	if key.Kind != yaml.ScalarNode {
		return "", errors.New("a key is a list or a mapping")
	}
	if isMerge(key) || isText(key) {
		return key.Value, nil
	}
	data, err := kyaml.YAMLToJSON([]byte(source(key) + ": null"))
	var object map[string]any
	if err == nil {
		err = json.Unmarshal(data, &object)
	}
	if err != nil || len(object) != 1 {
		return "", fmt.Errorf("%q cannot be a key", key.Value)
	}
	for name := range object {
		return name, nil
	}
	return "", nil
}

// scalar gives the value that a scalar has for the cluster.
func scalar(n *yaml.Node) (any, error) {
	if isText(n) {
		return n.Value, nil
	}
	data, err := kyaml.YAMLToJSON([]byte("v: " + source(n)))
	if err != nil {
		return nil, fmt.Errorf("%q is no value that JSON has", n.Value)
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, fmt.Errorf("%q is no value that JSON has", n.Value)
	}
	if number, ok := object["v"].(json.Number); ok {
		return exact(number)
	}
	return object["v"], nil
}

// exact gives a number as int64 if it is one, else as float64.
func exact(number json.Number) (any, error) {
	if i, err := strconv.ParseInt(number.String(), 10, 64); err == nil {
		return i, nil
	}
	return number.Float64()
}

// source writes a plain or tagged scalar as it would stand on one line.
func source(n *yaml.Node) string {
	switch {
	case n.Style&yaml.TaggedStyle == 0:
		return n.Value
	case strings.HasPrefix(n.Tag, "!"):
		return n.Tag + " " + quoted(n.Value)
	default:
		return "!<" + n.Tag + "> " + quoted(n.Value)
	}
}

// isText tells whether a scalar is a string for sure: quoted, in a block, or
// plain and neither a number nor one of the words for booleans and null.
func isText(n *yaml.Node) bool {
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		return n.Tag == "!!str"
	case n.Style != 0 || strings.Contains(n.Value, "\n"):
		return true
	case n.Value == "" || strings.Contains("+-.0123456789~<=", n.Value[:1]):
		return false
	}
	switch strings.ToLower(n.Value) {
	case "y", "yes", "n", "no", "true", "false", "on", "off", "null":
		return false
	}
	return true
}

// quoted writes a string in double quotes, as JSON and YAML both read it.
func quoted(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}
