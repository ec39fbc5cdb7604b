package yamledit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// jsonShape converts a value to the shapes that [Document.Decode] returns.
func jsonShape(value any) (any, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var shaped any
	if err := decoder.Decode(&shaped); err != nil {
		return nil, err
	}
	return numbers(shaped)
}

// numbers converts each json.Number in a value.
func numbers(value any) (any, error) {
	var err error
	switch v := value.(type) {
	case json.Number:
		return number(v)
	case []any:
		for i := range v {
			if v[i], err = numbers(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], err = numbers(v[k]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

// withField returns a copy of a value with one field set.
func withField(have any, path []any, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	var err error
	switch step := path[0].(type) {
	case string:
		object, ok := have.(map[string]any)
		if !ok && have != nil {
			return nil, fmt.Errorf("cannot set %q: its parent is no mapping", step)
		}
		if object = maps.Clone(object); object == nil {
			object = map[string]any{}
		}
		object[step], err = withField(object[step], path[1:], value)
		return object, err
	case int:
		list, ok := have.([]any)
		if !ok && have != nil || step < 0 || step > len(list) {
			return nil, fmt.Errorf("cannot set item %d: its parent is no list of at least as many items", step)
		}
		if list = slices.Clone(list); step == len(list) {
			list = append(list, nil)
		}
		list[step], err = withField(list[step], path[1:], value)
		return list, err
	}
	return nil, fmt.Errorf("path holds %T, want a key or an index", path[0])
}

// withoutField returns a copy of a value with one field removed.
func withoutField(have any, path []any) any {
	if len(path) == 0 {
		return have
	}
	switch step := path[0].(type) {
	case string:
		object, _ := have.(map[string]any)
		if _, ok := object[step]; !ok {
			return have
		}
		object = maps.Clone(object)
		if len(path) == 1 {
			delete(object, step)
		} else {
			object[step] = withoutField(object[step], path[1:])
		}
		return object
	case int:
		list, _ := have.([]any)
		if step < 0 || step >= len(list) {
			return have
		}
		list = slices.Clone(list)
		if len(path) == 1 {
			return slices.Delete(list, step, step+1)
		}
		list[step] = withoutField(list[step], path[1:])
		return list
	}
	return have
}

// nest wraps a value in the parents that a path names.
func nest(path []any, value any) any {
	for _, step := range slices.Backward(path) {
		if key, ok := step.(string); ok {
			value = map[string]any{key: value}
		} else {
			value = []any{value}
		}
	}
	return value
}

func isFilled(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) > 0
	case []any:
		return len(v) > 0
	}
	return false
}
