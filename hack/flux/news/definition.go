package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
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

// gates reads the feature gates of a controller from the source of its package features: the literal of
// the variable features, a map from names to what each defaults to.
func gates(source []byte) (map[string]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "features.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	named, out := map[string]string{}, map[string]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		switch value := spec.Values[0].(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(value.Value); err == nil {
				named[spec.Names[0].Name] = text
			}
		case *ast.CompositeLit:
			if spec.Names[0].Name == "features" {
				addGates(value, out)
			}
		}
		return true
	})
	for name, text := range named { // a gate may have another name than its constant
		if on, ok := out[name]; ok && text != name {
			delete(out, name)
			out[text] = on
		}
	}
	return out, nil
}

func addGates(literal *ast.CompositeLit, out map[string]string) {
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		on, _ := pair.Value.(*ast.Ident)
		if on == nil {
			continue
		}
		switch key := pair.Key.(type) {
		case *ast.Ident:
			out[key.Name] = on.Name
		case *ast.SelectorExpr: // of a package that the controllers share
			out[strings.TrimPrefix(key.Sel.Name, "FeatureGate")] = on.Name
		}
	}
}

// gateChanges says what differs between the gates of two versions.
func gateChanges(before, after map[string]string) []string {
	var out []string
	for _, name := range both(before, after) {
		is, now := after[name]
		was, then := before[name]
		switch {
		case !then:
			out = append(out, "gate "+name+" added, by default "+is)
		case !now:
			out = append(out, "gate "+name+" removed")
		case is != was:
			out = append(out, "gate "+name+" is by default "+is+", was "+was)
		}
	}
	return out
}

// table returns what is newer in Markdown. The first line is a title, by which a workflow knows whether it has said
// so before.
func table(all []item) string {
	var newer []string
	var rows strings.Builder
	row := func(it item, version, what string) {
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", it.module.name, it.module.known[1:], version, strings.ReplaceAll(what, "|", `\|`))
	}
	for _, it := range all {
		if it.versionsUnknown != "" {
			row(it, "?", "its versions cannot be listed: "+it.versionsUnknown)
			continue
		}
		newer = append(newer, it.module.name+" "+it.version[1:])
		switch {
		case it.cannotBeHad != "":
			row(it, it.version[1:], "cannot be had: "+it.cannotBeHad)
		case len(it.changes) == 0:
			row(it, it.version[1:], "the same fields and gates")
		}
		for _, change := range it.changes {
			row(it, it.version[1:], change)
		}
	}
	title := "Nothing of Flux is newer than what is known"
	if len(newer) > 0 {
		title = "Newer in Flux: " + strings.Join(newer, ", ")
	}
	if rows.Len() == 0 {
		return title + "\n"
	}
	return title + "\n\n| module | known | there is | what it changes |\n|---|---|---|---|\n" + rows.String()
}
