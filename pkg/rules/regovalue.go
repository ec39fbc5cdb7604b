package rules

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/open-policy-agent/opa/v1/ast"
)

// termOf returns a value as a Rego term: the same as json.Marshal followed by OPA's
// conversion, without going through text.
func termOf(v any) (*ast.Term, error) {
	switch v := v.(type) {
	case map[string]any:
		return objectOf(v)
	case []any:
		return arrayOf(v)
	case json.Number:
		return ast.NumberTerm(v), nil
	case float64, release.Duration:
		text, err := json.Marshal(v)
		return ast.NumberTerm(json.Number(text)), err
	}
	switch of := reflect.ValueOf(v); of.Kind() {
	case reflect.Pointer:
		if !of.IsNil() {
			return termOf(of.Elem().Interface())
		}
	case reflect.Struct:
		return structOf(of)
	case reflect.String:
		return ast.StringTerm(of.String()), nil
	}
	value, err := ast.InterfaceToValue(v)
	return ast.NewTerm(value), err
}

func structOf(v reflect.Value) (*ast.Term, error) {
	pairs := make([][2]*ast.Term, 0, v.NumField())
	for i := range v.NumField() {
		name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if option == "omitempty" && v.Field(i).IsZero() {
			continue
		}
		term, err := termOf(v.Field(i).Interface())
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, ast.Item(ast.InternedTerm(name), term))
	}
	return ast.ObjectTerm(pairs...), nil
}

func objectOf(object map[string]any) (*ast.Term, error) {
	pairs := make([][2]*ast.Term, 0, len(object))
	for key, value := range object {
		term, err := termOf(value)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, ast.Item(ast.InternedTerm(key), term))
	}
	return ast.ObjectTerm(pairs...), nil
}

func arrayOf(list []any) (*ast.Term, error) {
	terms := make([]*ast.Term, len(list))
	for i, item := range list {
		term, err := termOf(item)
		if err != nil {
			return nil, err
		}
		terms[i] = term
	}
	return ast.ArrayTerm(terms...), nil
}

// fieldsOf returns Fields of an [Input]: the object's spec and each value below it.
func fieldsOf(object *ast.Term) *ast.Term {
	fields := map[string][]*ast.Term{}
	var add func(value *ast.Term, name string, path []*ast.Term)
	add = func(value *ast.Term, name string, path []*ast.Term) {
		fields[name] = append(fields[name], ast.ObjectTerm(
			ast.Item(ast.InternedTerm("path"), ast.ArrayTerm(path...)),
			ast.Item(ast.InternedTerm("value"), value),
		))
		eachIn(value, func(step, value *ast.Term, named string) {
			add(value, strings.TrimPrefix(name+"."+named, "."), append(slices.Clip(path), step))
		})
	}
	if spec := object.Get(ast.InternedTerm("spec")); spec != nil && !null(spec) {
		add(spec, "", []*ast.Term{ast.InternedTerm("spec")})
	}
	pairs := make([][2]*ast.Term, 0, len(fields))
	for name, values := range fields {
		pairs = append(pairs, ast.Item(ast.InternedTerm(name), ast.ArrayTerm(values...)))
	}
	return ast.ObjectTerm(pairs...)
}

// eachIn visits the values of an object or the items of a list, each with its key or
// index and with its step in the field's name. Null values of objects are skipped.
func eachIn(value *ast.Term, visit func(step, value *ast.Term, named string)) {
	switch v := value.Value.(type) {
	case ast.Object:
		v.Foreach(func(key, value *ast.Term) {
			if !null(value) {
				visit(key, value, stepName(string(key.Value.(ast.String))))
			}
		})
	case *ast.Array:
		for i := range v.Len() {
			visit(ast.InternedTerm(i), v.Elem(i), "*")
		}
	}
}

func null(term *ast.Term) bool {
	_, is := term.Value.(ast.Null)
	return is
}

// stepName returns a key as a step of a field's name. A key that would be read as two
// steps, as an item of a list or as nothing is "?"; no field of the API has such a key.
func stepName(key string) string {
	if key == "" || key == "*" || strings.Contains(key, ".") {
		return "?"
	}
	return key
}

// writtenFields returns Fields of an [Input], as [fieldsOf] does.
func writtenFields(object map[string]any) map[string][]InputField {
	fields := map[string][]InputField{}
	var add func(value any, name string, path []any)
	each := func(step, value any, named, name string, path []any) {
		if name != "" {
			named = name + "." + named
		}
		add(value, named, append(slices.Clip(path), step))
	}
	add = func(value any, name string, path []any) {
		fields[name] = append(fields[name], InputField{Path: path, Value: value})
		switch value := value.(type) {
		case map[string]any:
			for _, key := range sortedKeys(value) {
				if value[key] != nil {
					each(key, value[key], stepName(key), name, path)
				}
			}
		case []any:
			for i, item := range value {
				each(i, item, "*", name, path)
			}
		}
	}
	if spec := withoutValues(object)["spec"]; spec != nil {
		add(spec, "", []any{"spec"})
	}
	return fields
}
