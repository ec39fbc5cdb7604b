package yamledit

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit/internal/quick"
)

func keyName(key *yaml.Node) (string, error) {
	key = target(key)
	if key.Kind != yaml.ScalarNode {
		return "", errors.New("a key is a list or a mapping")
	}
	if isMerge(key) || isText(key) {
		return key.Value, nil
	}
	data, err := kyaml.YAMLToJSON([]byte(onOneLine(key) + ": null"))
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

func scalarValue(n *yaml.Node) (any, error) {
	if isText(n) {
		return n.Value, nil
	}
	if n.Style == 0 {
		if value, certain := quick.PlainValue(n.Value); certain {
			return value, nil
		}
	}
	return readScalar(n)
}

// readScalar reads a scalar with the parser of the cluster.
func readScalar(n *yaml.Node) (any, error) {
	data, err := kyaml.YAMLToJSON([]byte("v: " + onOneLine(n)))
	if err != nil {
		return nil, fmt.Errorf("%q is no value that JSON has", n.Value)
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, fmt.Errorf("%q is no value that JSON has", n.Value)
	}
	if n, ok := object["v"].(json.Number); ok {
		return number(n)
	}
	return object["v"], nil
}

// number returns an int64 if the number is one, else a float64.
func number(n json.Number) (any, error) {
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return i, nil
	}
	return n.Float64()
}

// isText reports whether a scalar is certainly a string: quoted, in a block, or
// plain and neither a number nor a word for a boolean or null.
func isText(n *yaml.Node) bool {
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		return n.Tag == "!!str"
	case n.Style != 0 || strings.Contains(n.Value, "\n"):
		return true
	}
	return quick.IsPlainText(n.Value)
}

// onOneLine writes a plain or tagged scalar on one line.
func onOneLine(n *yaml.Node) string {
	switch {
	case n.Style&yaml.TaggedStyle == 0:
		return n.Value
	case strings.HasPrefix(n.Tag, "!"):
		return n.Tag + " " + quoted(n.Value)
	default:
		return "!<" + n.Tag + "> " + quoted(n.Value)
	}
}

// quoted writes a string in double quotes, for JSON and YAML alike.
func quoted(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// flow writes a value on one line, as JSON or in YAML's flow style.
func flow(value any, json bool) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return word(v, json)
	case map[string]any:
		var fields []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, word(key, json)+": "+flow(v[key], json))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, flow(item, json))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return fmt.Sprint(value)
}

// flowLike writes a value on one line, with the quotes, or the case of a boolean, of the
// node that it replaces.
func flowLike(old *yaml.Node, value any, json bool) string {
	text, ok := value.(string)
	yes, isBool := value.(bool)
	switch {
	case ok && old.Style&yaml.SingleQuotedStyle != 0 && printable().MatchString(text):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	case ok && old.Style&yaml.DoubleQuotedStyle != 0:
		return quoted(text)
	case isBool && old.Style == 0 && (old.Value == "True" || old.Value == "False"):
		return map[bool]string{true: "True", false: "False"}[yes]
	case isBool && old.Style == 0 && (old.Value == "TRUE" || old.Value == "FALSE"):
		return strings.ToUpper(strconv.FormatBool(yes))
	}
	return flow(value, json || old.Kind != yaml.ScalarNode && isJSON(old))
}

// word writes a key or a string on one line: plain if it needs no quotes.
func word(text string, json bool) string {
	if !json && isPlain(text) {
		return text
	}
	return quoted(text)
}

var (
	plainWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./@+-]*( [A-Za-z0-9_./@+-]+)*$`)
	})
	printable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[ -~\x{a1}-\x{2027}\x{3000}-\x{d7ff}]*$`) })
)

// isPlain reports whether both YAML parsers read a string without quotes as
// itself.
func isPlain(text string) bool {
	if !plainWord().MatchString(text) {
		return false
	}
	var v2, v3 any
	return kyaml.Unmarshal([]byte(text), &v2) == nil && v2 == text &&
		yaml.Unmarshal([]byte(text), &v3) == nil && v3 == text
}

var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:_|[A-Za-z$][A-Za-z0-9.${}:=_-]*)$`) })

// IsName reports whether a text is a name that YAML takes for nothing but a text.
func IsName(text string) bool {
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return plainName().MatchString(text) && !strings.HasSuffix(text, ":")
}
