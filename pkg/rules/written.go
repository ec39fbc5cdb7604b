package rules

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// written are the values of the fields of an object by name, as Fields of an [Input] are,
// but without their paths, which are seldom asked for.
type written struct {
	values map[string][]any
	names  []string // sorted
	count  int      // of values
}

// writtenIn returns the fields of an object, in the order of [writtenFields].
func writtenIn(object map[string]any) *written {
	w := &written{values: make(map[string][]any, 32)}
	switch spec := object["spec"].(type) {
	case nil:
	case map[string]any:
		w.put("", spec)
		w.object(spec, "", "values")
	default:
		w.add("", spec)
	}
	w.names = slices.AppendSeq(make([]string, 0, len(w.values)), maps.Keys(w.values))
	slices.Sort(w.names)
	return w
}

// object adds the fields of an object but one.
func (w *written) object(fields map[string]any, name, but string) {
	keys := slices.AppendSeq(make([]string, 0, len(fields)), maps.Keys(fields))
	slices.Sort(keys)
	for _, key := range keys {
		if value := fields[key]; value != nil && key != but {
			w.add(joined(name, stepName(key)), value)
		}
	}
}

// add adds a value and what is in it.
func (w *written) add(name string, value any) {
	w.put(name, value)
	switch value := value.(type) {
	case map[string]any:
		w.object(value, name, "")
	case []any:
		for _, item := range value {
			w.add(joined(name, "*"), item)
		}
	}
}

func (w *written) put(name string, value any) {
	w.values[name] = append(w.values[name], value)
	w.count++
}

// joined returns the name of a field below another one; the spec itself has none.
func joined(name, step string) string {
	if name == "" {
		return step
	}
	return name + "." + step
}

// answer appends the answer to a question for fields.
func (w *written) answer(to []byte, object map[string]any, q question) []byte {
	switch {
	case len(q.at) == 1 && q.how == itself:
		return append(to, '{')
	case len(q.at) == 1 && q.how == itsKeys:
		for _, name := range w.names {
			to = appendText(to, name)
		}
		return to
	case len(q.at) > 1 && q.how == itself:
		values, ok := w.values[q.at[1].(string)]
		if !ok {
			return append(to, absent)
		}
		if len(q.at) == 2 {
			return append(to, strconv.Itoa(len(values))...)
		}
		if i := q.at[2].(int); len(q.at) > 3 && q.at[3] == "value" && i < len(values) {
			return answerAny(to, values[i], q.at[4:], itself)
		}
	}
	return answerOf(to, reflect.ValueOf(writtenFields(object)), q.at[1:], q.how)
}

// appendTexts appends Texts of an [Input].
func (w *written) appendTexts(to []byte) []byte {
	for _, name := range w.names {
		if !slices.ContainsFunc(w.values[name], func(value any) bool { return !isText(InputField{Value: value}, nil) }) {
			to = appendText(to, name)
		}
	}
	return to
}
