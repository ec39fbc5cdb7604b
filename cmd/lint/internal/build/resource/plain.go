package resource

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// objectByText has kustomize write a resource as YAML, read that, write it as JSON, and
// reads this.
func objectByText(res *resource.Resource) (map[string]any, error) {
	data, err := res.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var out map[string]any
	return out, json.Unmarshal(data, &out)
}

// Plain is an object straight from its nodes.
type Plain struct {
	Object map[string]any // nil unless all of it is plain
	Dollar bool           // there is a "$" in it

	odd bool // there is a node that is not plain
}

// PlainOf returns an object if all of it is plain: what is written of it as YAML or
// JSON is read as the same again, so that nobody needs to.
func PlainOf(node *yaml.Node) Plain {
	p := Plain{}
	if node == nil {
		return p
	}
	object, ok := p.value(node).(map[string]any)
	if ok && !p.odd {
		p.Object = object
	}
	return p
}

func (p *Plain) value(node *yaml.Node) any {
	if p.odd = p.odd || strings.Contains(node.HeadComment+node.LineComment+node.FootComment, "\n\n"); p.odd {
		return nil
	}
	switch {
	case node.Kind == yaml.MappingNode && (node.Tag == "" || node.Tag == yaml.NodeTagMap):
		return p.mapping(node)
	case node.Kind == yaml.SequenceNode && (node.Tag == "" || node.Tag == yaml.NodeTagSeq):
		items := make([]any, len(node.Content))
		for i, item := range node.Content {
			items[i] = p.value(item)
		}
		return items
	case node.Kind == yaml.ScalarNode:
		return p.scalar(node)
	case node.Kind == yaml.AliasNode: // kustomize puts what it stands for there
		return p.value(node.Alias)
	}
	p.odd = true
	return nil
}

func (p *Plain) mapping(node *yaml.Node) map[string]any {
	out := make(map[string]any, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, ok := p.value(node.Content[i]).(string)
		_, twice := out[key]
		if !ok || twice || key == "" || key == "<<" || len(key) > 100 || strings.Contains(key, "\n") {
			p.odd = true
			return nil
		}
		out[key] = p.value(node.Content[i+1])
	}
	return out
}

func (p *Plain) scalar(node *yaml.Node) any {
	text, tag := node.Value, node.Tag
	if tag == "" {
		tag = node.ShortTag()
	}
	switch {
	case tag == yaml.NodeTagString && isPlain(node):
		p.Dollar = p.Dollar || strings.Contains(text, "$")
		return text
	case node.Style != 0:
	case tag == yaml.NodeTagNull && text == "null":
		return nil
	case tag == yaml.NodeTagBool && (text == "true" || text == "false"):
		return text == "true"
	case tag == yaml.NodeTagInt && len(text) < 16:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(n, 10) == text {
			return float64(n)
		}
	case tag == yaml.NodeTagFloat && len(text) < 12 && decimal().MatchString(text):
		n, err := strconv.ParseFloat(text, 64)
		if err == nil {
			return n
		}
	}
	p.odd = true
	return nil
}

// decimal matches the numbers that are written as encoding/json writes them.
var decimal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?(0|[1-9][0-9]*)\.[0-9]*[1-9]$`) })

// isPlain reports whether a string is of printable letters and, if it has several lines,
// written as it is or in double quotes.
func isPlain(node *yaml.Node) bool {
	text := node.Value
	for _, c := range text {
		if c != '\n' && (!unicode.IsPrint(c) || c > '~' && c < 0xa0 || c == utf8.RuneError) {
			return false
		}
	}
	if !strings.Contains(text, "\n") || node.Style == yaml.DoubleQuotedStyle {
		return true
	}
	return (node.Style == 0 || node.Style == yaml.LiteralStyle) && text[0] != ' ' && text[0] != '\n'
}

// IsPlainJSON reports whether a value is the same once it was written as YAML.
func IsPlainJSON(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if !IsPlainText(key) || strings.Contains(key, "\n") || len(key) > 100 || key == "<<" || !IsPlainJSON(inner) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(value, func(inner any) bool { return !IsPlainJSON(inner) })
	case string:
		return IsPlainText(value)
	case float64:
		text := strconv.FormatFloat(value, 'f', -1, 64)
		return len(text) < 12
	}
	return true
}

// IsPlainText reports whether a text is plain wherever it is written.
func IsPlainText(text string) bool {
	return isPlain(&yaml.Node{Value: text})
}
