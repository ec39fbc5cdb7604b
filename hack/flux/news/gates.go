package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

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
