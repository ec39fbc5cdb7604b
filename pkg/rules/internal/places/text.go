package places

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Sealed is a part of the input that is large and the same for many releases: its name stands
// for all of it.
type Sealed struct {
	Term *ast.Term
	Name string
}

// Lists is a part of the input that holds a list under each name. It is made when a rule needs it.
type Lists struct {
	// Of makes the lists with some names; all without any.
	Of func(names ...string) map[string]any
	// Hash appends a text that is equal only where all lists are.
	Hash func(to []byte) []byte
}

// appendAt appends what is at a place below the lists.
func (l Lists) appendAt(to []byte, at Place) ([]byte, bool) {
	if len(at) == 0 {
		return l.Hash(to), true
	}
	if name, ok := at[0].(string); ok {
		return AppendAt(to, l.Of(name), at)
	}
	return AppendAt(to, l.Of(), at)
}

// Seal returns a part of the input with its hash as its name.
func Seal(term *ast.Term) Sealed {
	sum := sha256.Sum256([]byte(term.String()))
	return Sealed{term, string(sum[:])}
}

// Append appends what is at a place of an input, or a letter that begins no value if there is nothing.
func Append(to []byte, input map[string]any, at Place) []byte {
	text, ok := AppendAt(to, input, at)
	if !ok {
		return append(text[:len(to)], '!')
	}
	return text
}

// AppendAt appends what is at a place below a value, so that texts are equal only where that
// is equal. It reports whether there is anything: where a step is any key, only keys below
// which the rest of the place is.
func AppendAt(to []byte, value any, at Place) ([]byte, bool) {
	switch v := value.(type) {
	case Sealed:
		return AppendText(to, v.Name), true
	case Lists:
		return v.appendAt(to, at)
	case reflect.Value:
		return appendValue(to, v, at)
	}
	if len(at) == 0 {
		return AppendAll(to, value), true
	}
	if text, ok := at[0].(Is); ok {
		return strconv.AppendBool(to, value == string(text)), true
	}
	switch v := value.(type) {
	case map[string]any:
		if at[0] == nil {
			return appendEach(to, v, at)
		}
		if key, ok := at[0].(string); ok {
			if below, ok := v[key]; ok {
				return AppendAt(to, below, at[1:])
			}
		}
	case []any:
		if at[0] == nil {
			return AppendAll(to, v), true
		}
		if i, ok := at[0].(int); ok && i >= 0 && i < len(v) {
			return AppendAt(to, v[i], at[1:])
		}
	}
	return to, false
}

// appendValue is AppendAt of a value of Go: of a struct only what is at the place is made plain.
func appendValue(to []byte, v reflect.Value, at Place) ([]byte, bool) {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if len(at) == 0 || v.Kind() != reflect.Struct {
		return AppendAt(to, Plain(v), at)
	}
	if _, compared := at[0].(Is); compared {
		return AppendAt(to, Plain(v), at)
	}
	fields := fieldsOf(v.Type())
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
		text, ok := appendValue(AppendText(to, field.name), below, at[1:])
		if to = text; !ok {
			to = to[:before]
		}
		found = found || ok
	}
	return append(to, ';'), found
}

// appendEach appends what is below each key.
func appendEach(to []byte, object map[string]any, at Place) ([]byte, bool) {
	found := false
	var room [16]string
	for _, key := range AppendKeys(room[:0], object) {
		before := len(to)
		below, ok := AppendAt(AppendText(to, key), object[key], at[1:])
		if to = below; !ok {
			to = to[:before]
		}
		found = found || ok
	}
	return append(to, ';'), found
}

// AppendKeys appends the keys of an object in order.
func AppendKeys(to []string, object map[string]any) []string {
	for key := range object {
		to = append(to, key)
	}
	slices.Sort(to)
	return to
}

// AppendAll appends a value.
func AppendAll(to []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(to, 'n')
	case bool:
		return strconv.AppendBool(to, v)
	case string:
		return AppendText(to, v)
	case float64:
		return append(strconv.AppendFloat(to, v, 'g', -1, 64), ' ')
	case int:
		return append(strconv.AppendInt(to, int64(v), 10), ' ')
	case int64:
		return append(strconv.AppendInt(to, v, 10), ' ')
	case json.Number:
		return append(append(append(to, '#'), v...), ' ')
	case Sealed:
		return AppendText(to, v.Name)
	case []any:
		to = append(to, '[')
		for _, item := range v {
			to = AppendAll(to, item)
		}
		return append(to, ']')
	case map[string]any:
		to = append(to, '{')
		var room [24]string
		for _, key := range AppendKeys(room[:0], v) {
			to = AppendAll(AppendText(to, key), v[key])
		}
		return append(to, '}')
	}
	return AppendText(append(to, '?'), fmt.Sprintf("%#v", value))
}

// AppendText appends a text so that it cannot be taken for another one, or for more of them.
func AppendText(to []byte, text string) []byte {
	return append(append(strconv.AppendInt(append(to, '"'), int64(len(text)), 10), ':'), text...)
}
