package rules

import (
	"reflect"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/pkg/release"
)

// jsonField is a field of a struct in JSON.
type jsonField struct {
	index   int
	omitted bool // if it is zero
}

// of returns the field of a struct; the zero Value if it is not there.
func (f jsonField) of(part reflect.Value) reflect.Value {
	for part.Kind() == reflect.Pointer {
		part = part.Elem()
	}
	if part = part.Field(f.index); f.omitted && part.IsZero() {
		return reflect.Value{}
	}
	return part
}

// fieldsAt returns the steps of a path that are fields of an [Input] and of what is in it,
// up to the first that is none.
func fieldsAt(path []any) []jsonField {
	var out []jsonField
	in := reflect.TypeFor[Input]()
	for _, step := range path {
		for in.Kind() == reflect.Pointer {
			in = in.Elem()
		}
		name, _ := step.(string)
		field, ok := jsonFields()[in][name]
		if !ok {
			break
		}
		out, in = append(out, field), in.Field(field.index).Type
	}
	return out
}

// jsonFields are the fields of the types of an input, by their names in JSON.
var jsonFields = sync.OnceValue(func() map[reflect.Type]map[string]jsonField {
	out := map[reflect.Type]map[string]jsonField{}
	var add func(t reflect.Type)
	add = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || out[t] != nil || t == reflect.TypeFor[release.Duration]() {
			return
		}
		out[t] = map[string]jsonField{}
		for i := range t.NumField() {
			name, option, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			out[t][name] = jsonField{i, option == "omitempty"}
			add(t.Field(i).Type)
		}
	}
	add(reflect.TypeFor[Input]())
	return out
})
