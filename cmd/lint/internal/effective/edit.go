package effective

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Edit is a change of one field of a file. A nil value removes it.
type Edit struct {
	File  string
	At    yamledit.Address
	Value any
	// Replaces is true if something else is written there, though it be null.
	Replaces bool
}

// Edits translates an edit of an effective object into edits of files. A field is set
// where its last writer wrote it or, if nothing did, at its nearest written parent; it is
// removed everywhere it is written. There are no edits if the object already has the
// value, and an error if no file can be edited for it. The edits may change other
// releases too.
func (r *Release) Edits(edit rules.Edit) ([]Edit, error) {
	s, known := r.Subject(edit.Object)
	if !known {
		return nil, fmt.Errorf("where %s is written is not known", edit.Object)
	}
	have, written := s.Value(edit.Path)
	switch {
	case edit.Value == nil && !written, written && equal(have, edit.Value):
		return nil, nil
	case edit.Value == nil:
		return s.removals(edit.Path)
	}
	target, err := s.writeTarget(edit.Path)
	if err != nil {
		return nil, err
	}
	return []Edit{editOf(target, edit.Value)}, nil
}

// equal compares values as JSON.
func equal(a, b any) bool {
	x, err := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}

func editOf(o trace.Origin, value any) Edit {
	edit := Edit{File: o.Doc.File.Name, At: o.Doc.Address(o.Path...), Value: value}
	if value != nil {
		_, edit.Replaces = o.Doc.Find(o.Path...)
	}
	return edit
}

// writeTarget returns the place where a field must be written.
func (s Subject) writeTarget(at release.Path) (trace.Origin, error) {
	for n := len(at); n > 1; n-- {
		o, ok := s.writerOf(at[:n])
		if !ok || !agrees(s.Object, o, at[:n]) {
			continue
		}
		if text, _ := o.Value.(string); n == len(at) && variables.Use().MatchString(text) {
			return trace.Origin{}, fmt.Errorf("%s takes its value from %s", at, text)
		}
		if o.IsOperation() && len(o.Path) < 2 {
			continue // the operation writes a field below this one alone
		}
		o.Path = slices.Concat(o.Path, at[n:])
		return o, nil
	}
	return s.ownField(at)
}

// ownField returns a field of the object's own document.
func (r *origins) ownField(at release.Path) (trace.Origin, error) {
	own := r.own
	if own.Doc == nil {
		return trace.Origin{}, errors.New("the file that it is written in is not known")
	}
	if !own.Doc.IsMapping(own.Path...) {
		return trace.Origin{}, errors.New("it is written by a template")
	}
	return trace.Origin{Doc: own.Doc, Path: slices.Concat(own.Path, at)}, nil
}

// removals returns the edits that remove everything written at and below a path.
func (r *origins) removals(at release.Path) ([]Edit, error) {
	var edits []Edit
	if traced(at) {
		shadow, _ := object.Follow(r.shadow, at[1:])
		object.Leaves(nil, shadow, func(below release.Path, tag any) {
			o, ok := r.table.Origin(tag)
			if !ok {
				return
			}
			edit := editOf(stepsAbove(o, len(below)), nil)
			if !slices.ContainsFunc(edits, func(e Edit) bool { return reflect.DeepEqual(e, edit) }) {
				edits = append(edits, edit)
			}
		})
	}
	if len(edits) > 0 {
		return edits, nil
	}
	own, err := r.ownField(at)
	if err != nil {
		return nil, err
	}
	return []Edit{editOf(own, nil)}, nil
}

// stepsAbove returns the field that is so many steps above another. In an operation of a JSON
// patch, it is the operation itself if no field is left.
func stepsAbove(o trace.Origin, steps int) trace.Origin {
	n := len(o.Path) - steps
	if o.IsOperation() && n <= 2 {
		n = 1
	}
	o.Path = o.Path[:max(n, 0)]
	return o
}
