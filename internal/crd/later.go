package crd

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/semver"
)

//go:embed since.txt
var sinceText string

// change is what a minor version of Flux brought or, of an apiVersion, took away.
type change struct {
	since   string
	name    string // spec.deletionPolicy, or empty for the apiVersion itself
	value   string // of the field, or empty for any
	removed bool
}

// changes are those of the APIs of Flux since 2.0, by apiVersion and kind.
var changes = sync.OnceValue(func() map[string][]change {
	out := map[string][]change{}
	for line := range strings.Lines(sinceText) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ") // # in the first line
		since, rest, _ := strings.Cut(rest, " ")
		c := change{since: since, removed: rest == "removed"}
		if !c.removed {
			c.name, c.value, _ = strings.Cut(rest, ": ")
		}
		out[kind] = append(out[kind], c)
	}
	return out
})

// Lacks names what an object has that a minor version of Flux, such as 2.5, does not have, not yet or no longer: the field
// spec.ignore, or its apiVersion; empty if it has no such thing.
func Lacks(flux string, obj map[string]any) string {
	for _, c := range changesOf(obj) {
		switch has := semver.Compare("v"+c.since, "v"+flux) <= 0; {
		case has != c.removed, !c.concerns(obj):
		case c.name == "":
			return "the apiVersion " + obj["apiVersion"].(string)
		case c.value != "":
			return "the value " + c.value + " of " + c.name
		default:
			return "the field " + c.name
		}
	}
	return ""
}

// Varies reports whether an object has a field or a value that not each version of Flux with its apiVersion has.
func Varies(obj map[string]any) bool {
	return slices.ContainsFunc(changesOf(obj), func(c change) bool { return c.name != "" && c.concerns(obj) })
}

func changesOf(obj map[string]any) []change {
	apiVersion, _ := obj["apiVersion"].(string)
	kind, _ := obj["kind"].(string)
	return changes()[apiVersion+"/"+kind]
}

// concerns reports whether an object has what was changed.
func (c change) concerns(obj map[string]any) bool {
	return c.name == "" || within(obj, strings.Split(c.name, "."), c.value)
}

// within reports whether there is something at a path below a value; if a text is given, that one.
func within(v any, path []string, text string) bool {
	if len(path) == 0 {
		return text == "" && v != nil || v == any(text)
	}
	if list, ok := v.([]any); ok && path[0] == "*" {
		return slices.ContainsFunc(list, func(item any) bool { return within(item, path[1:], text) })
	}
	fields, _ := v.(map[string]any)
	return within(fields[path[0]], path[1:], text)
}
