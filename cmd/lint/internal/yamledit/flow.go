package yamledit

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/yaml"
)

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
