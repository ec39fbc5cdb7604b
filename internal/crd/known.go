package crd

import (
	_ "embed"
	"encoding/json"
	"sync"
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
