package flux

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Edit is a change of one field of a file. A nil value removes it.
type Edit struct {
	File  string
	At    yamledit.Address
	Value any
}

// Edits translates an edit of the effective object into edits of files: a
// field is written where its last writer wrote it or, if nothing did, beside
// what is written nearest to it; it is removed wherever it is written. It gives
// none if the object has the value already, and an error if no file can be
// edited to that end. Whether other releases change too is not looked at.
func (r *Release) Edits(edit rules.Edit) ([]Edit, error) {
	have, written := follow(r.Object, edit.Path)
	switch {
	case edit.Value == nil && !written, written && equal(have, edit.Value):
		return nil, nil
	case edit.Value == nil:
		return r.removals(edit.Path)
	}
	f, err := r.spot(edit.Path)
	if err != nil {
		return nil, err
	}
	return []Edit{editOf(f, edit.Value)}, nil
}

// equal compares values as JSON.
func equal(a, b any) bool {
	x, err := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}

func editOf(f field, value any) Edit {
	return Edit{File: f.doc.File.Name, At: f.doc.Address(f.path...), Value: value}
}

// spot gives the place where a field is to be written.
func (r *Release) spot(at release.Path) (field, error) {
	for n := len(at); n > 1; n-- {
		f, ok := r.writerOf(at[:n])
		if !ok || !r.agrees(f, at[:n]) {
			continue
		}
		if text, _ := f.value.(string); n == len(at) && variableUse.MatchString(text) {
			return field{}, fmt.Errorf("%s takes its value from %s", at, text)
		}
		if isOperation(f) && len(f.path) < 2 {
			continue // the operation writes a field below this one alone
		}
		f.path = slices.Concat(f.path, at[n:])
		return f, nil
	}
	return r.ownField(at)
}

// ownField gives a field of the release's own document.
func (r *Release) ownField(at release.Path) (field, error) {
	if r.own.doc == nil {
		return field{}, errors.New("the file that the release is written in is not known")
	}
	value, _ := r.own.doc.Decode()
	object, _ := follow(value, r.own.path)
	if _, ok := object.(map[string]any); !ok {
		return field{}, errors.New("the release is written by a template")
	}
	return field{doc: r.own.doc, path: slices.Concat(r.own.path, at)}, nil
}

// isOperation tells whether a field is part of an operation of a JSON patch:
// [1 value ...].
func isOperation(f field) bool {
	if len(f.path) == 0 {
		return false
	}
	_, ok := f.path[0].(int)
	return ok
}

// removals gives the edits that remove what is written at and below a path.
func (r *Release) removals(at release.Path) ([]Edit, error) {
	var edits []Edit
	add := func(f field) {
		edit := editOf(f, nil)
		if !slices.ContainsFunc(edits, func(e Edit) bool { return reflect.DeepEqual(e, edit) }) {
			edits = append(edits, edit)
		}
	}
	if len(at) > 1 && at[0] == "spec" {
		trace, _ := follow(r.trace, at[1:])
		leaves(nil, trace, func(below release.Path, tag any) {
			if f, ok := r.tags.get(tag); ok {
				add(above(f, len(below)))
			}
		})
	}
	if len(edits) > 0 {
		return edits, nil
	}
	f, err := r.ownField(at)
	if err != nil {
		return nil, err
	}
	return []Edit{editOf(f, nil)}, nil
}

// above gives the field so many steps above another. An operation of a JSON
// patch goes as a whole if it writes no more than that.
func above(f field, steps int) field {
	n := len(f.path) - steps
	if isOperation(f) && n <= 2 {
		n = 1
	}
	f.path = f.path[:max(n, 0)]
	return f
}
