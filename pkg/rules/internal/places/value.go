package places

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
)

// TermOf returns a value as a Rego term: the same as json.Marshal followed by OPA's
// conversion, without going through text.
func TermOf(v any) (*ast.Term, error) {
	switch v := v.(type) {
	case Sealed:
		return v.Term, nil
	case Lists:
		return objectOf(v.Of())
	case reflect.Value:
		return TermOf(Plain(v))
	case map[string]any:
		return objectOf(v)
	case []any:
		return arrayOf(v)
	case string:
		return ast.StringTerm(v), nil
	case bool:
		return ast.InternedTerm(v), nil
	case int:
		return ast.InternedTerm(v), nil
	case json.Number:
		return ast.NumberTerm(v), nil
	case float64:
		text, err := json.Marshal(v)
		return ast.NumberTerm(json.Number(text)), err
	}
	value, err := ast.InterfaceToValue(v)
	return ast.NewTerm(value), err
}

func objectOf(object map[string]any) (*ast.Term, error) {
	pairs := make([][2]*ast.Term, 0, len(object))
	for key, value := range object {
		term, err := TermOf(value)
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
		term, err := TermOf(item)
		if err != nil {
			return nil, err
		}
		terms[i] = term
	}
	return ast.ArrayTerm(terms...), nil
}

// Plain returns a value of Go as encoding/json would read its JSON: structs as objects. A list or map
// that is nil is empty.
func Plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return Plain(v.Elem())
	case reflect.Struct:
		if d, ok := v.Interface().(interface{ Seconds() float64 }); ok { // a release.Duration
			return d.Seconds()
		}
		return plainStruct(v)
	case reflect.Slice:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = Plain(v.Index(i))
		}
		return out
	case reflect.Map:
		out := make(map[string]any, v.Len())
		for each := v.MapRange(); each.Next(); {
			out[each.Key().String()] = Plain(each.Value())
		}
		return out
	case reflect.String:
		if number, ok := v.Interface().(json.Number); ok {
			return number
		}
		return v.String()
	case reflect.Int:
		return int(v.Int())
	}
	return v.Interface()
}

func plainStruct(v reflect.Value) map[string]any {
	fields := fieldsOf(v.Type())
	out := make(map[string]any, len(fields.list))
	for i, field := range fields.list {
		if at := v.Field(i); !field.omitted || !at.IsZero() {
			out[field.name] = Plain(at)
		}
	}
	return out
}

// Keys returns the keys that a struct has in JSON, in order.
func Keys(t reflect.Type) (keys []string) {
	for _, field := range fieldsOf(t).list {
		keys = append(keys, field.name)
	}
	return keys
}

// jsonField is a field of a struct in JSON.
type jsonField struct {
	name    string
	omitted bool // if it is zero
}

// structFields are the fields of a struct in JSON, in order, with the index of each by its name.
type structFields struct {
	list []jsonField
	at   map[string]int
}

func fieldsOf(t reflect.Type) structFields {
	if known, ok := jsonFields.Load(t); ok {
		return known.(structFields)
	}
	out := structFields{at: map[string]int{}}
	for i := range t.NumField() {
		name, option, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		out.list, out.at[name] = append(out.list, jsonField{name, option == "omitempty"}), i
	}
	jsonFields.Store(t, out)
	return out
}

var jsonFields sync.Map // the fields of a type never change
