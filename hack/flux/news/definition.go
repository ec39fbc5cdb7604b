package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/internal/crd"
)

// both returns the names of two maps, in order.
func both[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]V{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

// definitionChanges says what differs between two definitions of the custom resource of a kind.
func definitionChanges(kind string, before, after []byte) ([]string, error) {
	was, err := served(before)
	if err != nil {
		return nil, err
	}
	is, err := served(after)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, version := range both(was, is) {
		then, before := was[version]
		now, after := is[version]
		switch {
		case !before:
			out = append(out, fmt.Sprintf("%s %s is served", kind, version))
		case !after:
			out = append(out, fmt.Sprintf("%s %s is no longer served", kind, version))
		default:
			for _, change := range schemaChanges("", then, now) {
				out = append(out, fmt.Sprintf("%s %s: %s", kind, version, change))
			}
		}
	}
	return out, nil
}

// served returns the schemas of a definition by the versions that are served.
func served(document []byte) (map[string]crd.Schema, error) {
	definition, err := crd.Read(document)
	if err != nil {
		return nil, err
	}
	out := map[string]crd.Schema{}
	for _, version := range definition.Spec.Versions {
		if version.Served {
			out[version.Name] = version.Schema.Object
		}
	}
	return out, nil
}

// schemaChanges says what differs between two schemas at a name. What is below a field that came or
// went is not listed.
func schemaChanges(name string, was, is crd.Schema) (out []string) {
	say := func(format string, args ...any) {
		out = append(out, strings.TrimSpace(name+" "+fmt.Sprintf(format, args...)))
	}
	for _, fact := range []struct{ what, was, is string }{
		{"is of type", was.Type, is.Type},
		{"defaults to", shown(was.Default), shown(is.Default)},
		{"takes", strings.Join(was.Enum, ", "), strings.Join(is.Enum, ", ")},
		{"demands", strings.Join(was.Required, ", "), strings.Join(is.Required, ", ")},
		{"matches", was.Pattern.String(), is.Pattern.String()},
		{"has at least letters:", shown(was.MinLength), shown(is.MinLength)},
		{"has at most letters:", shown(was.MaxLength), shown(is.MaxLength)},
	} {
		if fact.was != fact.is {
			say("%s %s, was %s", fact.what, orNothing(fact.is), orNothing(fact.was))
		}
	}
	for _, rule := range is.Expressions {
		if !slices.Contains(was.Expressions, rule) {
			say("demands `%s`", rule.Rule)
		}
	}
	for _, rule := range was.Expressions {
		if !slices.Contains(is.Expressions, rule) {
			say("no longer demands `%s`", rule.Rule)
		}
	}
	for _, key := range both(was.Properties, is.Properties) {
		then, before := was.Properties[key]
		now, after := is.Properties[key]
		at := strings.TrimPrefix(name+"."+key, ".")
		switch {
		case !before:
			out = append(out, at+" added")
		case !after:
			out = append(out, at+" removed")
		default:
			out = append(out, schemaChanges(at, then, now)...)
		}
	}
	for _, below := range [][2]*crd.Schema{{was.Items, is.Items}, {was.Additional, is.Additional}} {
		if below[0] != nil && below[1] != nil {
			out = append(out, schemaChanges(name+".*", *below[0], *below[1])...)
		}
	}
	return out
}

func shown(value any) string {
	if value == nil || value == 0 {
		return ""
	}
	return fmt.Sprint(value)
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}
