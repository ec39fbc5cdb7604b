package rules

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"github.com/flux-remedy/remedy/pkg/release"
)

// view answers questions about the input of a release without making it. What is the same
// for all releases of a tier is not in it.
type view struct {
	r      *release.Release
	input  Input   // without the sections that are made of objects
	before bool    // its section before is made
	fields written // nil until they are asked for
}

// question asks for a part of an input.
type question struct {
	at  []any // keys and indexes
	how aspect
	// fields are the first steps of at as fields of an [Input] and what is in it.
	fields []jsonField
}

// aspect is what of a part is asked for.
type aspect byte

const (
	itself  aspect = iota // whether it is there, and its value; of an object only that it is one
	itsKeys               // the keys of an object
	allOfIt
)

// answer appends the answer to a question. Answers to a question are equal only where all
// that it asks for is.
func (v *view) answer(to []byte, q question) []byte {
	switch section, _ := q.at[0].(string); section {
	case "object":
		return answerIn(to, v.r.Object, q)
	case "old":
		if v.r.Old == nil {
			return append(to, absent)
		}
		return answerIn(to, v.r.Old, q)
	case "fields":
		return v.written().answer(to, v.r.Object, q)
	case "texts":
		return v.written().appendTexts(to)
	case "schema": // what is asked of it is the same where all of it is
		return append(to, schemaKey(v.r)...)
	case "before":
		v.decodeBefore()
	case "changed":
		v.input.Changed = v.changed()
	}
	part := reflect.ValueOf(&v.input).Elem()
	for _, field := range q.fields {
		if part = field.of(part); !part.IsValid() {
			return append(to, absent)
		}
	}
	return answerOf(to, part, q.at[len(q.fields):], q.how)
}

// absent is the answer of what is not there.
const absent = '-'

// answerIn answers from an object without its values.
func answerIn(to []byte, object map[string]any, q question) []byte {
	if q.how != itself || len(q.at) > 2 && q.at[1] == "spec" && q.at[2] == "values" {
		object = withoutValues(object)
	}
	return answerAny(to, object, q.at[1:], q.how)
}

// answerAny answers from what is at some steps of a value.
func answerAny(to []byte, value any, steps []any, how aspect) []byte {
	for i, step := range steps {
		object, ok := value.(map[string]any)
		key, named := step.(string)
		if !ok || !named {
			return answerOf(to, reflect.ValueOf(value), steps[i:], how)
		}
		if value, ok = object[key]; !ok {
			return append(to, absent)
		}
	}
	switch value := value.(type) {
	case nil:
		return append(to, "null"...)
	case string:
		if how == itself {
			return appendText(to, value)
		}
	case map[string]any:
		if how == itself {
			return append(to, '{')
		}
	}
	return answerOf(to, reflect.ValueOf(value), nil, how)
}

// answerOf answers from what is at some steps of a part.
func answerOf(to []byte, part reflect.Value, steps []any, how aspect) []byte {
	for _, step := range steps {
		part = child(part, step)
	}
	switch {
	case !part.IsValid():
		return append(to, absent)
	case how == allOfIt:
		text, err := json.Marshal(part.Interface())
		if err != nil { // a number that JSON does not have
			return fmt.Appendf(to, "%#v", part.Interface())
		}
		return append(to, text...)
	case how == itsKeys:
		return appendKeys(to, part)
	}
	return appendValue(to, part)
}

// decodeBefore makes the settings of the object that an update replaces.
func (v *view) decodeBefore() {
	if !v.before {
		v.input.Before, v.before = v.r.SettingsBefore(), true
	}
}

// written returns the fields of the object.
func (v *view) written() written {
	if v.fields == nil {
		v.fields = writtenIn(v.r.Object)
	}
	return v.fields
}

// maxHeard is the number of fields from which on nobody notes what is asked of an object:
// real ones have less than a hundred.
const maxHeard = 2000

// large reports whether an object has very many fields.
func (v *view) large() bool { return len(v.written()) > maxHeard }

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
		if field, ok := jsonFields()[of.Type()][key]; ok {
			return field.of(of)
		}
	case reflect.Map:
		if _, ok := step.(string); ok {
			return underKey(of, key)
		}
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
	object, ok := v.Interface().(map[string]any)
	if !ok { // those of a struct do not vary
		return fmt.Appendf(to, "%#v", v.Interface())
	}
	for _, key := range sortedKeys(object) {
		to = appendText(to, key)
	}
	return to
}

// appendValue appends a value without what is in its objects.
func appendValue(to []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(to, "null"...)
		}
		return appendValue(to, v.Elem())
	case reflect.Bool:
		return strconv.AppendBool(to, v.Bool())
	case reflect.String:
		if v.Type() == reflect.TypeFor[json.Number]() {
			return append(to, v.String()...)
		}
		return appendText(to, v.String())
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
			return strconv.AppendInt(append(to, 'd'), v.Field(0).Int(), 10)
		}
		return append(to, '{')
	case reflect.Map:
		return append(to, '{')
	}
	return fmt.Appendf(to, "%#v", v.Interface())
}

// appendText appends a text so that it cannot be taken for another one, or for more of them.
func appendText(to []byte, text string) []byte {
	return append(append(strconv.AppendInt(append(to, '"'), int64(len(text)), 10), ':'), text...)
}
