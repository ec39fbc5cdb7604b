package plain

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// WriteYAML writes a document, whose comments must be lines. What [Text] would
// escape is escaped as YAML does, so that nothing is lost.
func WriteYAML(w io.Writer, node *yaml.Node) error {
	quote(node)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(node); err != nil {
		return err
	}
	if err := encoder.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, escapeYAML(out.String()))
	return err
}

// quote has every string quoted that is not plain.
func quote(node *yaml.Node) {
	if node.Kind == yaml.ScalarNode && Text(node.Value) != node.Value {
		node.Style = yaml.DoubleQuotedStyle
	}
	for _, child := range node.Content {
		quote(child)
	}
}

// escapeYAML escapes characters in the quoted strings of a document. Elsewhere there
// are none of these.
func escapeYAML(document string) string {
	var b strings.Builder
	for i, r := range document {
		switch {
		case r == '\n' || r != '#' && unicode.IsPrint(r) || r == '#' && !logCommand(document[i:]):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
