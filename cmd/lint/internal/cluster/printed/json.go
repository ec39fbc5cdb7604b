package printed

import (
	"encoding/json"
	"errors"
	"io"
	"iter"
)

// jsonObjects reads a stream of JSON objects. Of a list, one item at a time is in memory.
func jsonObjects(in io.Reader) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		decoder := json.NewDecoder(in)
		for {
			beside, more, err := topLevel(decoder, func(item map[string]any) bool { return yield(item, nil) })
			switch {
			case errors.Is(err, io.EOF) || !more:
				return
			case err != nil:
				yield(nil, err)
				return
			case !yield(beside, nil):
				return
			}
		}
	}
}

// topLevel reads one object and calls each with its items, until that returns false. It
// returns what is beside them.
func topLevel(decoder *json.Decoder, each func(map[string]any) bool) (object map[string]any, more bool, err error) {
	if start, err := decoder.Token(); err != nil {
		return nil, true, err
	} else if start != json.Delim('{') {
		return nil, true, errors.New("want JSON objects")
	}
	object = map[string]any{}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, true, ended(err)
		}
		name, _ := key.(string) // the decoder refuses all others
		if name == "items" {
			if more, err := itemsOf(decoder, each); err != nil || !more {
				return nil, more, ended(err)
			}
			continue
		}
		var value any
		if err := decoder.Decode(&value); err != nil {
			return nil, true, ended(err)
		}
		object[name] = value
	}
	if _, err := decoder.Token(); err != nil {
		return nil, true, ended(err)
	}
	return object, true, nil
}

func itemsOf(decoder *json.Decoder, each func(map[string]any) bool) (more bool, err error) {
	start, err := decoder.Token()
	if err != nil || start == nil {
		return true, err
	}
	if start != json.Delim('[') {
		return true, errors.New("items are no list")
	}
	for decoder.More() {
		var item any
		if err := decoder.Decode(&item); err != nil {
			return true, err
		}
		list, _ := item.(map[string]any)
		for _, one := range items(list) {
			if !each(one) {
				return false, nil
			}
		}
	}
	_, err = decoder.Token()
	return true, err
}

// ended returns the error of a stream that ends within an object.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
