package flux

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Locate gives the place that a person must edit to change the field at a
// path: where its last writer wrote it or, if nothing did, the nearest written
// parent in the release's own document.
func (r *Release) Locate(at release.Path) Location {
	for n := len(at); n > 0; n-- {
		f, ok := r.writerOf(at[:n])
		if ok && r.agrees(f, at[:n]) {
			return r.place(f, n == len(at))
		}
	}
	return r.ownPlace(at)
}

// agrees tells whether a writer can have written what is there: one that could
// not be followed may have come after it.
func (r *Release) agrees(f field, at release.Path) bool {
	text, ok := f.value.(string)
	if f.value == nil || ok && (variableUse.MatchString(text) || strings.Contains(text, "<<")) {
		return true
	}
	effective, _ := follow(r.Object, at)
	return same(f.value, effective)
}

// writerOf finds who wrote the field at a path: the own document, if it writes
// anything of it that is still there, else the first other writer below it.
func (r *Release) writerOf(at release.Path) (field, bool) {
	if !traced(at) {
		return field{}, false
	}
	v, ok := follow(r.trace, at[1:])
	if !ok {
		return field{}, false
	}
	if f, ok := r.tags.get(v); ok {
		return f, true
	}
	var found []field
	leaves(nil, v, func(below release.Path, tag any) {
		if f, ok := r.tags.get(tag); ok && len(f.path) > len(below) {
			f.path, f.value = f.path[:len(f.path)-len(below)], nil
			found = append(found, f)
		}
	})
	if len(found) == 0 {
		return field{}, false
	}
	if i := slices.IndexFunc(found, func(f field) bool { return f.doc == r.own.doc }); i >= 0 {
		return found[i], true
	}
	return found[0], true
}

// place gives the position of a field and who set it.
func (r *Release) place(f field, exact bool) Location {
	if source, ok := r.variable(f); exact && ok {
		return source
	}
	pos, written := f.doc.Find(f.path...)
	at := Location{File: f.doc.File.Name, Line: pos.Line, Column: pos.Column, Exact: exact && written}
	if f.doc != r.own.doc {
		at.SetBy = []Writer{writerAt(f)}
	}
	return at
}

func writerAt(f field) Writer {
	w := Writer{What: f.writer.what, File: f.doc.File.Name, Line: f.doc.Line}
	if f.writer.what == "" {
		object, _ := f.doc.Object()
		w.What = fmt.Sprintf("%v %s", object["kind"], nameOf(object))
	}
	if f.writer.doc != nil {
		w.Line = f.writer.doc.Line
	}
	return w
}

// ownPlace gives the nearest place in the release's own document.
func (r *Release) ownPlace(at release.Path) Location {
	if r.own.doc == nil {
		return Location{File: r.File, Line: r.Line, Column: 1}
	}
	pos, exact := r.own.doc.Find(append(slices.Clone(r.own.path), at...)...)
	return Location{File: r.File, Line: pos.Line, Column: pos.Column, Exact: exact && (r.trace == nil || !traced(at))}
}

// traced tells whether the writer of a field is followed through a build.
func traced(at release.Path) bool { return len(at) > 1 && at[0] == "spec" }

// LocateWritten gives the place of a field in the release's own document,
// whatever is in force, and as SetBy what replaced it.
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

// Value gives what is in force at a path, and whether anything writes it.
func (r *Release) Value(at release.Path) (any, bool) { return follow(r.Object, at) }

// follow gives the value at a path.
func follow(v any, at release.Path) (any, bool) {
	for _, step := range at {
		switch s := step.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				return nil, false
			}
			if v, ok = m[s]; !ok {
				return nil, false
			}
		case int:
			list, ok := v.([]any)
			if !ok || s >= len(list) {
				return nil, false
			}
			v = list[s]
		}
	}
	return v, true
}

var variableUse = regexp.MustCompile(`\$\{(\w+)`)

// variable gives the place of the variable that a field takes its value from,
// if the tree defines it: the outermost Kustomization that does puts it in, and
// in the release's own document only the one that applies it.
func (r *Release) variable(f field) (Location, bool) {
	text, _ := f.value.(string)
	m := variableUse.FindStringSubmatch(text)
	if m == nil {
		return Location{}, false
	}
	through := r.chain
	if f.doc == r.own.doc && len(through) > 1 {
		through = through[:1]
	}
	for _, k := range slices.Backward(through) {
		from, ok := k.vars.from[m[1]]
		if !ok {
			continue
		}
		doc, at := r.definition(k, from, m[1])
		if doc == nil {
			return Location{}, false
		}
		pos, exact := doc.Find(at...)
		use := writerAt(f)
		if f.doc == r.own.doc {
			use = Writer{What: "the release's own document", File: r.File, Line: r.Line}
		}
		return Location{
			File: doc.File.Name, Line: pos.Line, Column: pos.Column, Exact: exact,
			SetBy: []Writer{{What: "variable " + m[1] + " of " + from.what, File: doc.File.Name, Line: pos.Line}, use},
		}, true
	}
	return Location{}, false
}

// definition finds where a variable is written: nowhere if what writes it is not
// the object's own document.
func (r *Release) definition(k *kustomization, from varSource, name string) (*yamledit.Document, []any) {
	if from.object == nil {
		v, _ := follow(k.object[traceKey], release.Path{"postBuild", "substitute", name})
		f, ok := r.tags.get(v)
		if !ok {
			return nil, nil
		}
		return f.doc, f.path
	}
	kind, _ := from.object["kind"].(string)
	namespace, _ := nested(from.object, "metadata", "namespace").(string)
	object, _ := nested(from.object, "metadata", "name").(string)
	for _, entry := range r.loader.named(kind, namespace, object) {
		if from.by != nil && !from.by.reads(entry.rel) {
			continue
		}
		for _, field := range []string{"data", "stringData"} {
			if v := nested(entry.object, field, name); v != nil && v == nested(from.object, field, name) {
				return entry.doc, []any{field, name}
			}
		}
	}
	return nil, nil
}
