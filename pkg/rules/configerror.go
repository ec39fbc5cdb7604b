package rules

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/pkg/release"
)

// configSchema is the published schema of the configuration, docs/config.schema.json.
//
//go:embed config.schema.json
var configSchema []byte

// ConfigSchema returns the JSON Schema of the configuration.
func ConfigSchema() []byte { return configSchema }

// explain returns the mistakes of a configuration that could not be decoded, each
// with its line, its path and what is allowed there, or the cause if the schema finds none.
// The schema is parsed only here, so a correct configuration never costs it.
//
// This is not a JSON Schema validator: linking one adds 4.5 ms to each start of
// both programs. The tests compare the result with a validator's.
func explain(config []byte, written *yamlv3.Node, cause error) error {
	var document any
	root := &schema{}
	if json.Unmarshal(config, &document) != nil || json.Unmarshal(configSchema, root) != nil {
		return cause
	}
	spellOff(document)
	c := &comparison{defs: root.Defs, written: written}
	c.compare(root, nil, document)
	if len(c.mistakes) == 0 {
		return cause
	}
	return errors.Join(c.mistakes...)
}

// schema holds the keywords of JSON Schema that the configuration's schema uses.
type schema struct {
	never bool // the schema is false: no value is valid

	Ref                  string             `json:"$ref"`
	Defs                 map[string]*schema `json:"$defs"`
	Type                 string             `json:"type"`
	Enum                 []any              `json:"enum"`
	Format               string             `json:"format"`
	Minimum              *float64           `json:"minimum"`
	Items                *schema            `json:"items"`
	Properties           map[string]*schema `json:"properties"`
	AdditionalProperties *schema            `json:"additionalProperties"`
	Required             []string           `json:"required"`
}

// UnmarshalJSON reads a schema, which may be true or false.
func (s *schema) UnmarshalJSON(b []byte) error {
	if allowed := true; json.Unmarshal(b, &allowed) == nil {
		s.never = !allowed
		return nil
	}
	type plain schema
	return json.Unmarshal(b, (*plain)(s))
}

// comparison collects what is wrong with a document.
type comparison struct {
	defs     map[string]*schema
	written  *yamlv3.Node // the document
	mistakes []error
}

func (c *comparison) addf(at release.Path, format string, args ...any) {
	err := fmt.Errorf(format, args...)
	if line := lineOf(c.written, at); line > 0 {
		err = fmt.Errorf("line %d: %w", line, err)
	}
	c.mistakes = append(c.mistakes, err)
}

// lineOf returns the line of what is written at a path, or of what holds it; 0 of a document on one line, as a program
// writes it.
func lineOf(node *yamlv3.Node, at release.Path) int {
	if node != nil && node.Kind == yamlv3.DocumentNode {
		node = node.Content[0]
	}
	if node == nil || node.Style&yamlv3.FlowStyle != 0 {
		return 0
	}
	line := node.Line
	for _, step := range at {
		found := false
		switch step := step.(type) {
		case string:
			for i := 0; node.Kind == yamlv3.MappingNode && i+1 < len(node.Content) && !found; i += 2 {
				if key := node.Content[i]; key.Value == step {
					node, line, found = node.Content[i+1], key.Line, true
				}
			}
		case int:
			if found = node.Kind == yamlv3.SequenceNode && step < len(node.Content); found {
				node = node.Content[step]
				line = node.Line
			}
		}
		if !found {
			break
		}
	}
	return line
}

// compare collects the mistakes of the value at a path. Null counts as not set, as
// it does for the decoder.
func (c *comparison) compare(s *schema, path release.Path, value any) {
	if s == nil || value == nil {
		return
	}
	if s.Ref != "" {
		s = c.defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
	}
	if got := typeOf(value); s.Type != "" && got != s.Type && (got != "integer" || s.Type != "number") {
		c.addf(path, "%s is of type %s: want %s", path, got, s.Type)
		return
	}
	switch value := value.(type) {
	case map[string]any:
		c.compareObject(s, path, value)
	case []any:
		for i, item := range value {
			c.compare(s.Items, append(slices.Clip(path), i), item)
		}
	case string:
		c.compareWord(s, path, value)
	case float64:
		if s.Minimum != nil && value < *s.Minimum {
			c.addf(path, "%s is %v: want %v or more", path, value, *s.Minimum)
		}
	}
}

func (c *comparison) compareObject(s *schema, path release.Path, object map[string]any) {
	missing := slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { _, ok := object[name]; return ok })
	if len(missing) > 0 {
		c.addf(path, "%s: missing %s", path, strings.Join(missing, ", "))
	}
	for _, name := range sortedKeys(object) {
		at := append(slices.Clip(path), name)
		switch of, known := s.Properties[name]; {
		case known:
			c.compare(of, at, object[name])
		case s.AdditionalProperties == nil:
		case s.AdditionalProperties.never:
			fields := sortedKeys(s.Properties)
			c.addf(at, "unknown field %q: want %s%s", at, strings.Join(fields, ", "), DidYouMean(name, fields))
		default:
			c.compare(s.AdditionalProperties, at, object[name])
		}
	}
}

func (c *comparison) compareWord(s *schema, path release.Path, word string) {
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, any(word)) {
		words := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			words[i] = fmt.Sprint(v)
		}
		c.addf(path, "%s is %q: want %s", path, word, strings.Join(words, ", "))
	}
	if s.Format == "date" {
		if err := (&Date{}).UnmarshalText([]byte(word)); err != nil {
			c.addf(path, "%s: %w", path, err)
		}
	}
}

// typeOf names the type of a value as JSON Schema does.
func typeOf(value any) string {
	switch value := value.(type) {
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case float64:
		if value == float64(int64(value)) {
			return "integer"
		}
		return "number"
	}
	return "object"
}

// spellOff undoes YAML's reading of an unquoted off as false, for severities and
// enforcement modes, where the schema wants a word.
func spellOff(value any) {
	switch holder := value.(type) {
	case []any:
		for _, item := range holder {
			spellOff(item)
		}
	case map[string]any:
		for key, inner := range holder {
			if key == "severity" && inner == false {
				holder[key] = string(Off)
			}
			if modes, ok := inner.(map[string]any); ok && key == "enforcement" {
				maps.DeleteFunc(modes, func(_ string, mode any) bool { return mode == false })
			}
			spellOff(inner)
		}
	}
}

// DidYouMean returns "; did you mean X?" for the word that is nearest to another,
// or nothing if none is near: at most two letters or a third of them may differ.
func DidYouMean(word string, words []string) string {
	best, distance := "", min(len(word), max(3, len(word)/3+1))
	for _, other := range words {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(other)); d < distance {
			best, distance = other, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}
