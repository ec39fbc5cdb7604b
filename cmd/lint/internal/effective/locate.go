package effective

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Locate returns the place that a person must edit to change the field at a
// path: where its last writer wrote it or, if nothing did, the nearest written
// parent in the release's own document. Of the namespace and the name that may be above the release.
func (r *Release) Locate(at release.Path) Location {
	path := at.String()
	i := slices.IndexFunc(r.located, func(l located) bool { return l.path == path })
	if i < 0 {
		found, above := r.namedBy(at)
		if !above {
			found = Subject{&r.origins, r.Object}.locate(at)
		}
		found.field = new(string)
		i, r.located = len(r.located), append(r.located, located{path, &found})
	}
	found := *r.located[i].at
	found.path, found.SetBy = slices.Clone(found.path), slices.Clone(found.SetBy)
	return found
}

func (s Subject) locate(at release.Path) Location {
	o, n := s.decider(at)
	if n == 0 {
		return s.ownPlace(at)
	}
	place := s.place(o, n == len(at))
	place.path = slices.Concat(place.path, at[n:])
	return place
}

// LocateKey returns the place of the key of a field: where its last writer wrote it, also where a
// variable supplies its value.
func (r *Release) LocateKey(at release.Path) Location {
	s := Subject{&r.origins, r.Object}
	if o, n := s.decider(at); n == len(at) {
		return s.written(o)
	}
	return r.Locate(at)
}

// decider returns what wrote the longest part of a path of which that is known, and its length; zero if there is none.
func (s Subject) decider(at release.Path) (o trace.Origin, n int) {
	for n := len(at); n > 0; n-- {
		if o, ok := s.writerOf(at[:n]); ok && agrees(s.Object, o, at[:n]) {
			return o, n
		}
	}
	return trace.Origin{}, 0
}

// LocateWritten returns the place of a field in the release's own document, whether or not
// it is in force; SetBy is what replaced it.
func (r *Release) LocateWritten(at release.Path) Location {
	place := r.ownPlace(at)
	place.Exact = true
	by := r.Locate(at)
	place.SetBy = by.SetBy
	if len(place.SetBy) > 0 {
		place.SetBy[0].File, place.SetBy[0].Line = by.File, by.Line
	}
	return place
}

// agrees reports whether the effective value is the one that a writer wrote. If not, an
// unknown writer came after it.
func agrees(obj map[string]any, o trace.Origin, at release.Path) bool {
	text, ok := o.Value.(string)
	if o.Value == nil || ok && (variables.Use().MatchString(text) || strings.Contains(text, "<<")) {
		return true
	}
	effective, _ := object.Follow(obj, at)
	return same(o.Value, effective)
}

// same compares two values, also if only one of them was decoded from JSON.
func same(a, b any) bool { return reflect.DeepEqual(a, b) || fmt.Sprint(a) == fmt.Sprint(b) }

// place returns the position of what decides a field: of the variable in its value, or of the value.
func (r *origins) place(o trace.Origin, exact bool) Location {
	if source, ok := r.variable(o); exact && ok {
		return source
	}
	at := r.written(o)
	at.Exact = at.Exact && exact
	return at
}

// written returns the position of what a writer wrote, with the writer if that is not the release.
func (r *origins) written(o trace.Origin) Location {
	pos, exact := o.Doc.Find(o.Path...)
	at := Location{
		File: o.Doc.File.Name, Line: pos.Line, Column: pos.Column, Exact: exact, Excerpt: o.Doc.Excerpt(true, o.Path...),
		doc: o.Doc, path: o.Path,
	}
	if !r.isOwn(o) {
		at.SetBy = []Writer{writerAt(o)}
	}
	return at
}

// ownPlace returns the position of a field, or of its nearest written parent, in the
// release's own document.
func (r *origins) ownPlace(at release.Path) Location {
	own := r.own
	if own.Doc == nil {
		return Location{File: r.File, Line: r.Line, Column: 1, path: at}
	}
	path := append(slices.Clone(own.Path), at...)
	pos, exact := own.Doc.Find(path...)
	return Location{
		File: r.File, Line: pos.Line, Column: pos.Column,
		Exact: exact && (r.shadow == nil || !traced(at)), Excerpt: own.Doc.Excerpt(true, path...),
		doc: own.Doc, path: path,
	}
}
