package rules

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/open-policy-agent/opa/v1/ast"
)

// place is a part of the input: keys, indexes, and nil for any key or index. With [is] as its last step it
// is not what is there, but whether that is a text.
type place []any

// is is the text that something is compared with.
type is string

// isKey is the key of the text in JSON.
const isKey = "is"

// MarshalJSON writes the text as an object, beside which a key is a string.
func (i is) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]string{isKey: string(i)}) }

func (p place) String() string {
	out := "input"
	for _, step := range p {
		switch name := step.(type) {
		case nil:
			out += "[_]"
		case string:
			out += regoKey(name)
		case is:
			out += fmt.Sprintf(" == %q", string(name))
		default:
			out += fmt.Sprintf("[%v]", step)
		}
	}
	return out
}

// first returns the first step; nil without any.
func (p place) first() any {
	if len(p) == 0 {
		return nil
	}
	return p[0]
}

// meets reports whether two places are the same, or one is within the other.
func (p place) meets(other place) bool {
	for i := range min(len(p), len(other)) {
		if p[i] != nil && other[i] != nil && p[i] != other[i] {
			return false
		}
	}
	return true
}

// covers reports whether another place is this one or within it.
func (p place) covers(other place) bool {
	return len(p) <= len(other) && !slices.ContainsFunc(p, func(step any) bool { return step == nil }) && p.meets(other) && !slices.Contains(other[:len(p)], nil)
}

// sealed is a part of the input that is large and the same for many releases: its name stands
// for all of it.
type sealed struct {
	term *ast.Term
	name string
}

// seal returns a part of the input with its hash as its name.
func seal(term *ast.Term) sealed {
	sum := sha256.Sum256([]byte(term.String()))
	return sealed{term, string(sum[:])}
}

// appendPlace appends what is at a place of an input, or a letter that begins no value if there is nothing.
func appendPlace(to []byte, input map[string]any, at place) []byte {
	text, ok := appendAt(to, input, at)
	if !ok {
		return append(text[:len(to)], '!')
	}
	return text
}

// appendAt appends what is at a place below a value, so that texts are equal only where that
// is equal. It reports whether there is anything: where a step is any key, only keys below
// which the rest of the place is.
func appendAt(to []byte, value any, at place) ([]byte, bool) {
	switch v := value.(type) {
	case sealed:
		return appendText(to, v.name), true
	case listed:
		return v.appendAt(to, at)
	case reflect.Value:
		return appendValue(to, v, at)
	}
	if len(at) == 0 {
		return appendAll(to, value), true
	}
	if text, ok := at[0].(is); ok {
		return strconv.AppendBool(to, value == string(text)), true
	}
	switch v := value.(type) {
	case map[string]any:
		if at[0] == nil {
			return appendEach(to, v, at)
		}
		if key, ok := at[0].(string); ok {
			if below, ok := v[key]; ok {
				return appendAt(to, below, at[1:])
			}
		}
	case []any:
		if at[0] == nil {
			return appendAll(to, v), true
		}
		if i, ok := at[0].(int); ok && i >= 0 && i < len(v) {
			return appendAt(to, v[i], at[1:])
		}
	}
	return to, false
}

// appendValue is appendAt of a value of Go: of a struct only what is at the place is made plain.
func appendValue(to []byte, v reflect.Value, at place) ([]byte, bool) {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if _, compared := at.first().(is); compared || len(at) == 0 || v.Kind() != reflect.Struct {
		return appendAt(to, plain(v), at)
	}
	fields := fieldsOfType(v.Type())
	if at[0] != nil {
		name, _ := at[0].(string)
		i, ok := fields.at[name]
		if !ok || fields.list[i].omitted && v.Field(i).IsZero() {
			return to, false
		}
		return appendValue(to, v.Field(i), at[1:])
	}
	found := false
	for i, field := range fields.list {
		below := v.Field(i)
		if field.omitted && below.IsZero() {
			continue
		}
		before := len(to)
		text, ok := appendValue(appendText(to, field.name), below, at[1:])
		if to = text; !ok {
			to = to[:before]
		}
		found = found || ok
	}
	return append(to, ';'), found
}

// appendEach appends what is below each key.
func appendEach(to []byte, object map[string]any, at place) ([]byte, bool) {
	found := false
	var room [16]string
	for _, key := range appendKeys(room[:0], object) {
		before := len(to)
		below, ok := appendAt(appendText(to, key), object[key], at[1:])
		if to = below; !ok {
			to = to[:before]
		}
		found = found || ok
	}
	return append(to, ';'), found
}

// appendKeys appends the keys of an object in order.
func appendKeys(to []string, object map[string]any) []string {
	for key := range object {
		to = append(to, key)
	}
	slices.Sort(to)
	return to
}

// appendAll appends a value.
func appendAll(to []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(to, 'n')
	case bool:
		return strconv.AppendBool(to, v)
	case string:
		return appendText(to, v)
	case float64:
		return append(strconv.AppendFloat(to, v, 'g', -1, 64), ' ')
	case int:
		return append(strconv.AppendInt(to, int64(v), 10), ' ')
	case int64:
		return append(strconv.AppendInt(to, v, 10), ' ')
	case json.Number:
		return append(append(append(to, '#'), v...), ' ')
	case sealed:
		return appendText(to, v.name)
	case []any:
		to = append(to, '[')
		for _, item := range v {
			to = appendAll(to, item)
		}
		return append(to, ']')
	case map[string]any:
		to = append(to, '{')
		var room [24]string
		for _, key := range appendKeys(room[:0], v) {
			to = appendAll(appendText(to, key), v[key])
		}
		return append(to, '}')
	}
	return appendText(append(to, '?'), fmt.Sprintf("%#v", value))
}

// appendText appends a text so that it cannot be taken for another one, or for more of them.
func appendText(to []byte, text string) []byte {
	return append(append(strconv.AppendInt(append(to, '"'), int64(len(text)), 10), ':'), text...)
}
