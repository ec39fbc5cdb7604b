package crd

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/semver"
)

//go:embed known.json
var knownText []byte

// known are the schemas of Flux's kinds as its newest version has them, without metadata and
// status, by apiVersion and kind. What Kubernetes itself has of a kind is written by hand, as far
// as Flux Remedy relies on it.
var known = sync.OnceValue(func() map[string]func() Schema {
	var texts map[string]json.RawMessage
	if err := json.Unmarshal(knownText, &texts); err != nil {
		panic(err) // it is a part of the program
	}
	out := map[string]func() Schema{}
	for name, text := range texts {
		out[name] = sync.OnceValue(func() (s Schema) {
			if err := json.Unmarshal(text, &s); err != nil {
				panic(err)
			}
			return s
		})
	}
	for name, s := range builtIn {
		out[name] = func() Schema { return s }
	}
	return out
})

var (
	anyText  = &Schema{Type: "string"}
	anyBytes = &Schema{Type: "string", Format: "byte"}
)

var builtIn = map[string]Schema{
	"v1/ConfigMap": {Type: "object", Expressions: []Expression{{Rule: dataRule, Message: dataRule}}, Properties: map[string]Schema{
		"data": {Type: "object", Additional: anyText}, "binaryData": {Type: "object", Additional: anyBytes}, "immutable": {Type: "boolean"},
	}},
	"v1/Secret": {Type: "object", Expressions: []Expression{{Rule: dataRule, Message: dataRule}}, Properties: map[string]Schema{
		"data": {Type: "object", Additional: anyBytes}, "stringData": {Type: "object", Additional: anyText},
		"type": {Type: "string"}, "immutable": {Type: "boolean"},
	}},
	"apps/v1/Deployment": {Type: "object", Properties: map[string]Schema{"spec": {
		Type: "object", AnyField: true, Properties: map[string]Schema{
			"replicas": {Type: "integer"}, "paused": {Type: "boolean"}, "selector": {Type: "object", AnyField: true},
			"template": {Type: "object", AnyField: true, Properties: map[string]Schema{"spec": {
				Type: "object", AnyField: true, Properties: map[string]Schema{"containers": {Type: "array", Items: &container}},
			}}},
		},
	}}},
}

// container is what is known of a container of a Deployment: what decides how a controller runs.
var container = Schema{Type: "object", AnyField: true, Properties: map[string]Schema{
	"name": {Type: "string", MinLength: 1}, "image": {Type: "string"},
	"args": {Type: "array", Items: anyText}, "command": {Type: "array", Items: anyText},
	"env": {Type: "array", Items: &Schema{Type: "object", AnyField: true, Required: []string{"name"}, Properties: map[string]Schema{
		"name": {Type: "string", MinLength: 1}, "value": {Type: "string"},
	}}},
}}

// Known returns the schema of a kind, and reports whether there is one. Its object has no metadata
// and no status.
func Known(apiVersion, kind string) (Schema, bool) {
	schema, ok := known()[apiVersion+"/"+kind]
	if !ok {
		return Schema{}, false
	}
	return schema(), true
}

// Known returns what [Known] returns of the versions that a definition serves, by apiVersion and
// kind.
func (d Definition) Known() map[string]Schema {
	out := map[string]Schema{}
	for _, v := range d.Spec.Versions {
		if v.Served {
			for _, field := range unchecked {
				delete(v.Schema.Object.Properties, field)
			}
			out[d.Spec.Group+"/"+v.Name+"/"+d.Spec.Names.Kind] = v.Schema.Object
		}
	}
	return out
}

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
