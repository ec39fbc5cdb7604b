package rules

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/pkg/release"
)

// view answers questions about the input of a release without making it. What is the same
// for all releases of a tier is not in it.
type view struct {
	r      *release.Release
	input  Input // without the sections that are made when something is asked of them
	made   map[string]reflect.Value
	fields map[string][]InputField
}

// question asks for a part of an input.
type question struct {
	at  []any // keys and indexes
	how aspect
}

// aspect is what of a part is asked for.
type aspect byte

const (
	itself  aspect = iota // whether it is there, and its value; of an object only that it is one
	itsKeys               // the keys of an object
	allOfIt
)

// answer appends the answer to a question.
func (v *view) answer(to []byte, q question) []byte {
	part := v.find(q.at)
	switch {
	case !part.IsValid():
		return append(to, '-')
	case q.how == allOfIt:
		text, err := json.Marshal(part.Interface())
		if err != nil { // a number that JSON does not have
			return fmt.Appendf(to, "%#v", part.Interface())
		}
		return append(to, text...)
	case q.how == itsKeys:
		return appendKeys(to, part)
	}
	return appendValue(to, part)
}

// find returns a part of the input; the zero Value if it is not there.
func (v *view) find(at []any) reflect.Value {
	part := v.section(at[0].(string))
	for _, step := range at[1:] {
		part = child(part, step)
	}
	return part
}

// section returns a field of the input.
func (v *view) section(name string) reflect.Value {
	if made, ok := v.made[name]; ok {
		return made
	}
	var part any
	switch name {
	case "object":
		part = withoutValues(v.r.Object)
	case "fields":
		part = v.written()
	case "texts":
		part = textsIn(v.written(), nil)
	case "old":
		part = withoutValues(v.r.Old)
	case "before":
		part = before(v.r)
	default:
		return child(reflect.ValueOf(&v.input), name)
	}
	made := reflect.ValueOf(part)
	if made.IsNil() { // there is no old object
		made = reflect.Value{}
	}
	v.made[name] = made
	return made
}

// written returns the fields of the object.
func (v *view) written() map[string][]InputField {
	if v.fields == nil {
		v.fields = writtenFields(v.r.Object)
	}
	return v.fields
}

// maxHeard is the number of fields from which on nobody notes what is asked of an object:
// real ones have less than a hundred.
const maxHeard = 2000

// large reports whether an object has very many fields.
func (v *view) large() bool {
	n := 0
	for _, fields := range v.written() {
		n += len(fields)
	}
	return n > maxHeard
}

// writtenNull is a value that is written and null.
var writtenNull = reflect.ValueOf((*struct{})(nil))

// child returns a key of an object or an item of a list; the zero Value if it is not there.
func child(of reflect.Value, step any) reflect.Value {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Interface {
		of = of.Elem()
	}
	at, _ := step.(int)
	key, _ := step.(string)
	switch of.Kind() {
	case reflect.Struct:
		field, ok := jsonFields()[of.Type()][key]
		if !ok || field.omitted && of.Field(field.index).IsZero() {
			return reflect.Value{}
		}
		return of.Field(field.index)
	case reflect.Map:
		return underKey(of, key)
	case reflect.Slice:
		if at < of.Len() {
			return of.Index(at)
		}
	}
	return reflect.Value{}
}

func underKey(of reflect.Value, key string) reflect.Value {
	switch of := of.Interface().(type) {
	case map[string]any:
		value, ok := of[key]
		if ok && value == nil {
			return writtenNull
		}
		return reflect.ValueOf(value)
	case map[string][]InputField:
		if value, ok := of[key]; ok {
			return reflect.ValueOf(value)
		}
	default: // no object from JSON: all of it answers for a part
		return reflect.ValueOf(fmt.Sprintf("%#v", of))
	}
	return reflect.Value{}
}

// appendKeys appends the keys of an object.
func appendKeys(to []byte, v reflect.Value) []byte {
	switch of := v.Interface().(type) {
	case map[string]any:
		for _, key := range sortedKeys(of) {
			to = strconv.AppendQuote(to, key)
		}
	case map[string][]InputField:
		for _, key := range sortedKeys(of) {
			to = strconv.AppendQuote(to, key)
		}
	default: // those of a struct do not vary
		return fmt.Appendf(to, "%#v", of)
	}
	return to
}

// appendValue appends a value without what is in its objects.
func appendValue(to []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(to, '0')
		}
		return appendValue(to, v.Elem())
	case reflect.Bool:
		return strconv.AppendBool(to, v.Bool())
	case reflect.String:
		if v.Type() == reflect.TypeFor[json.Number]() {
			return append(to, v.String()...)
		}
		return strconv.AppendQuote(to, v.String())
	case reflect.Int, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(to, v.Int(), 10)
	case reflect.Float64:
		return strconv.AppendFloat(to, v.Float(), 'g', -1, 64)
	case reflect.Slice:
		to = append(to, '[')
		for i := range v.Len() {
			to = append(appendValue(to, v.Index(i)), ',')
		}
		return append(to, ']')
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[release.Duration]() {
			return strconv.AppendInt(append(to, 'd'), v.Interface().(release.Duration).Nanoseconds(), 10)
		}
		return append(to, '{')
	case reflect.Map:
		return append(to, '{')
	}
	return fmt.Appendf(to, "%#v", v.Interface())
}

// jsonField is a field of a struct in JSON.
type jsonField struct {
	index   int
	omitted bool // if it is zero
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
