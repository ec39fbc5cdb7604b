package yamledit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Set writes a value at a path of the document of that index and changes
// nothing else. Missing parents are made; an index one past the end of a list
// appends. It refuses what it cannot do by changing this field alone, such as a
// field that comes from an anchor. A value is what encoding/json can write.
func Set(data []byte, index int, path []any, value any) ([]byte, error) {
	value, err := jsonShape(value)
	if err != nil {
		return nil, err
	}
	return change(data, index,
		func(have any) (any, error) { return with(have, path, value) },
		func(e *editor) error { return e.set(path, value) })
}

// Delete removes the field or the list item at a path and changes nothing else.
// Deleting what is not there changes nothing. A mapping that loses its last
// field stays, as {}.
func Delete(data []byte, index int, path []any) ([]byte, error) {
	return change(data, index,
		func(have any) (any, error) { return without(have, path), nil },
		func(e *editor) error { return e.delete(path) })
}

// change edits a document and refuses the result unless it holds what is
// expected and the other documents are the same bytes.
func change(data []byte, index int, expect func(any) (any, error), splice func(*editor) error) ([]byte, error) {
	f, err := Parse("", data)
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= len(f.Documents) {
		return nil, fmt.Errorf("no document %d in a file of %d", index, len(f.Documents))
	}
	d := f.Documents[index]
	have, err := d.Decode()
	if err != nil {
		return nil, err
	}
	want, err := expect(have)
	if err != nil {
		return nil, err
	}
	if reflect.DeepEqual(have, want) {
		return data, nil
	}
	e := newEditor(d)
	if err := splice(e); err != nil {
		return nil, err
	}
	text, err := e.apply()
	if err != nil {
		return nil, err
	}
	out := slices.Concat(data[:d.start], text, data[d.end:])
	if err := verify(f, d, out, want); err != nil {
		return nil, err
	}
	return out, nil
}

// verify reads an edited file again.
func verify(before *File, edited *Document, out []byte, want any) error {
	after, err := Parse("", out)
	if err != nil {
		return err
	}
	if len(after.Documents) != len(before.Documents) {
		return errUnclean
	}
	for i, d := range after.Documents {
		was := before.Documents[i]
		if i != edited.Index {
			if !bytes.Equal(d.bytes(), was.bytes()) {
				return errUnclean
			}
			continue
		}
		got, err := d.Decode()
		if err != nil {
			return fmt.Errorf("the edit would break the file: %w", err)
		}
		if !reflect.DeepEqual(got, want) {
			return errUnclean
		}
	}
	return nil
}

var errUnclean = errors.New("the edit would change more than this one field")

func (d *Document) bytes() []byte { return d.File.Data[d.start:d.end] }

// jsonShape gives a value in the shapes that Decode gives.
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

func numbers(value any) (any, error) {
	var err error
	switch v := value.(type) {
	case json.Number:
		return exact(v)
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

// with gives a copy of a value with one field set.
func with(have any, path []any, value any) (any, error) {
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
		object[step], err = with(object[step], path[1:], value)
		return object, err
	case int:
		list, ok := have.([]any)
		if !ok && have != nil || step < 0 || step > len(list) {
			return nil, fmt.Errorf("cannot set item %d: its parent is no list of at least as many items", step)
		}
		if list = slices.Clone(list); step == len(list) {
			list = append(list, nil)
		}
		list[step], err = with(list[step], path[1:], value)
		return list, err
	}
	return nil, fmt.Errorf("path holds %T, want a key or an index", path[0])
}

// without gives a copy of a value with one field removed.
func without(have any, path []any) any {
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
			object[step] = without(object[step], path[1:])
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
		list[step] = without(list[step], path[1:])
		return list
	}
	return have
}
