package rules

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// written are the values of the fields of an object by name, as Fields of an [Input] are,
// but without their paths, which are seldom asked for. They are sorted by name; those of
// one name are in the order of the object.
type written []writtenValue

type writtenValue struct {
	name  string
	value any
}

// writtenIn returns the fields of an object, in the order of [writtenFields].
func writtenIn(object map[string]any) written {
	w := make(written, 0, 24)
	switch spec := object["spec"].(type) {
	case nil:
	case map[string]any:
		w = append(w, writtenValue{"", spec}).object(spec, "", "values")
	default:
		w = w.add("", spec)
	}
	slices.SortStableFunc(w, func(a, b writtenValue) int { return strings.Compare(a.name, b.name) })
	return w
}

// object adds the fields of an object but one.
func (w written) object(fields map[string]any, name, but string) written {
	var room [16]string
	keys := slices.AppendSeq(room[:0], maps.Keys(fields))
	slices.Sort(keys)
	for _, key := range keys {
		if value := fields[key]; value != nil && key != but {
			w = w.add(joined(name, stepName(key)), value)
		}
	}
	return w
}

// add adds a value and what is in it.
func (w written) add(name string, value any) written {
	w = append(w, writtenValue{name, value})
	switch value := value.(type) {
	case map[string]any:
		return w.object(value, name, "")
	case []any:
		for _, item := range value {
			w = w.add(joined(name, "*"), item)
		}
	}
	return w
}

// of returns the values of a name.
func (w written) of(name string) written {
	from, _ := slices.BinarySearchFunc(w, name, func(v writtenValue, name string) int { return strings.Compare(v.name, name) })
	to := from
	for to < len(w) && w[to].name == name {
		to++
	}
	return w[from:to]
}

// names yields each name once, in order, with its values.
func (w written) names(yield func(string, written) bool) {
	for len(w) > 0 {
		same := 1
		for same < len(w) && w[same].name == w[0].name {
			same++
		}
		if !yield(w[0].name, w[:same]) {
			return
		}
		w = w[same:]
	}
}

// joined returns the name of a field below another one; the spec itself has none.
func joined(name, step string) string {
	if name == "" {
		return step
	}
	return name + "." + step
}

// answer appends the answer to a question for fields.
func (w written) answer(to []byte, object map[string]any, q question) []byte {
	switch {
	case len(q.at) == 1 && q.how == itself:
		return append(to, '{')
	case len(q.at) == 1 && q.how == itsKeys:
		for name := range w.names {
			to = appendText(to, name)
		}
		return to
	case len(q.at) > 1 && q.how == itself:
		values := w.of(q.at[1].(string))
		if len(values) == 0 {
			return append(to, absent)
		}
		if len(q.at) == 2 {
			return strconv.AppendInt(to, int64(len(values)), 10)
		}
		if i := q.at[2].(int); len(q.at) > 3 && q.at[3] == "value" && i < len(values) {
			return answerAny(to, values[i].value, q.at[4:], itself)
		}
	}
	return answerOf(to, reflect.ValueOf(writtenFields(object)), q.at[1:], q.how)
}

// appendTexts appends Texts of an [Input].
func (w written) appendTexts(to []byte) []byte {
	for name, values := range w.names {
		if !slices.ContainsFunc(values, func(v writtenValue) bool { return !isText(InputField{Value: v.value}, nil) }) {
			to = appendText(to, name)
		}
	}
	return to
}
