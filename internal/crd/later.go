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

// addition is a field or a value that a minor version of Flux brought.
type addition struct {
	since string
	name  string // spec.deletionPolicy
	value string // of the field, or empty for any
}

// additions are those to the APIs of kustomize-controller and source-controller since Flux 2.0, by apiVersion and kind.
var additions = sync.OnceValue(func() map[string][]addition {
	out := map[string][]addition{}
	for line := range strings.Lines(sinceText) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		since, rest, _ := strings.Cut(rest, " ")
		name, value, _ := strings.Cut(rest, ": ")
		out[kind] = append(out[kind], addition{since, name, value})
	}
	return out
})

// Later names what an object has that a minor version of Flux, such as 2.5, does not have yet: the field
// spec.ignore; empty if it has no such thing.
func Later(obj map[string]any, flux string) string {
	apiVersion, _ := obj["apiVersion"].(string)
	kind, _ := obj["kind"].(string)
	for _, a := range additions()[apiVersion+"/"+kind] {
		switch {
		case semver.Compare("v"+a.since, "v"+flux) <= 0:
		case !within(obj, strings.Split(a.name, "."), a.value):
		case a.value != "":
			return "the value " + a.value + " of " + a.name
		default:
			return "the field " + a.name
		}
	}
	return ""
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
