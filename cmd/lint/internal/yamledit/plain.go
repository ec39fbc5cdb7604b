package yamledit

import (
	"regexp"
	"strings"
	"sync"
)

// decoding matches what libraries put before what is wrong with YAML that they decode as JSON, and mistyped what they say
// of the type of a field.
var (
	decoding = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`error (?:unmarshaling JSON|converting YAML to JSON): (?:while decoding JSON: )?(?:json|yaml): `)
	})
	mistyped = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:json: )?cannot unmarshal (\w+) into Go struct field \w+\.([\w.]+) of type ([^\s']+)`)
	})
)

// Plain returns the error of a library about a document in words of YAML, not of Go: "resources is of type string: want array".
func Plain(text string) string {
	text = decoding().ReplaceAllString(text, "")
	m := mistyped().FindStringSubmatch(text)
	if m == nil {
		return text
	}
	want := m[3]
	switch {
	case strings.HasPrefix(want, "[]"), strings.HasSuffix(want, "Slice"):
		want = "array"
	case strings.HasPrefix(want, "map["), strings.Contains(want, "."):
		want = "object"
	}
	return strings.Replace(text, m[0], m[2]+" is of type "+m[1]+": want "+want, 1)
}
