package vap

import (
	"regexp"
	"strings"
)

// pattern returns the regular expression that matches what a glob matches: * and ? any
// characters but slashes, ** any, [a-z] one of some, {a,b} one of several.
func pattern(glob string) string {
	var out strings.Builder
	depth := 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\' && i+1 < len(glob):
			i++
			out.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		case strings.HasPrefix(glob[i:], "**"):
			i++
			out.WriteString(".*")
		case c == '*':
			out.WriteString("[^/]*")
		case c == '?':
			out.WriteString("[^/]")
		case c == '[':
			end := strings.IndexByte(glob[i:], ']')
			out.WriteString(strings.Replace(glob[i:i+end+1], "[!", "[^", 1))
			i += end
		case c == '{':
			depth++
			out.WriteString("(?:")
		case c == '}' && depth > 0:
			depth--
			out.WriteString(")")
		case c == ',' && depth > 0:
			out.WriteString("|")
		default:
			out.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		}
	}
	return "^(?:" + out.String() + ")$"
}
