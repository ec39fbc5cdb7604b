package manifest

import "errors"

// Set writes a value at a path of the document of that index and changes
// nothing else. Missing parents are made; an index one past the end of a list
// appends. It refuses what it cannot do by changing this field alone, such as a
// field that comes from an anchor.
func Set(data []byte, index int, path []any, value any) ([]byte, error) {
	return nil, errors.New("not implemented")
}

// Delete removes the field or the list item at a path and changes nothing else.
// Deleting what is not there changes nothing.
func Delete(data []byte, index int, path []any) ([]byte, error) {
	return nil, errors.New("not implemented")
}
