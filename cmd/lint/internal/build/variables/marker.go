package variables

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Use matches the beginning of a use of a variable in a text; its group is the
// name.
var Use = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{(\w+)`) })

// A marker stands for the value of an unknown variable. It is substituted like a value,
// and afterwards shows which fields depend on the variable.
const (
	marker      = "flux-remedy-unknown."
	otherMarker = "flux-remedy-other-unknown."
)

// OpenKey is the key of a ConfigMap or a Secret that may have more keys.
const OpenKey = "flux-remedy-open"

// Marker returns the marker of a variable.
func Marker(name string) string { return markerOf(marker, name) }

var markers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`flux-remedy-unknown\.(\w+)\.`) })

func markerOf(prefix, name string) string { return prefix + name + "." }

// Unknown returns the names of the variables that a value depends on and that
// are not known.
func Unknown(text string) []string {
	var out []string
	for _, m := range markers().FindAllStringSubmatch(text, -1) {
		if !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// Marked reports whether a text depends on a variable that is not known.
func Marked(text string) bool { return markers().MatchString(text) }

// MayVary reports whether a text or a key in v may depend on a variable.
func MayVary(v any) bool {
	return anyText(v, func(text string) bool { return isMarked(text) || strings.Contains(text, "${") })
}

func isMarked(text string) bool { return strings.Contains(text, marker) }

// anyText reports whether is is true of a text or a key in v.
func anyText(v any, is func(string) bool) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if is(key) || anyText(inner, is) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return anyText(inner, is) })
	case string:
		return is(v)
	}
	return false
}

// Unmark returns a text with each marker replaced by its variable, as ${NAME}.
func Unmark(text string) string { return markers().ReplaceAllString(text, "$${$1}") }

// UnmarkAll returns v with the same done in every string and key. What holds no marker is shared with v.
func UnmarkAll(v any) any {
	if !anyText(v, isMarked) {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, inner := range v {
			out[Unmark(key)] = UnmarkAll(inner)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = UnmarkAll(inner)
		}
		return out
	case string:
		return Unmark(v)
	}
	return v
}
