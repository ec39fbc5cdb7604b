package flux

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/manifest"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Locate gives the place that a person must edit to change the field at a
// path: where its last writer wrote it or, if nothing did, the nearest written
// parent in the release's own document.
func (r *Release) Locate(at rules.Path) Location {
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
func (r *Release) agrees(f field, at rules.Path) bool {
	text, ok := f.value.(string)
	if f.value == nil || ok && (variableUse.MatchString(text) || strings.Contains(text, "<<")) {
		return true
	}
	effective, _ := follow(r.Object, at)
	return same(f.value, effective)
}

// writerOf finds who wrote the field at a path: the own document, if it writes
// anything of it that is still there, else the first other writer below it.
func (r *Release) writerOf(at rules.Path) (field, bool) {
	if len(at) == 0 || at[0] != "spec" || len(at) == 1 {
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
	leaves(nil, v, func(below rules.Path, tag any) {
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
func (r *Release) ownPlace(at rules.Path) Location {
	if r.own.doc == nil {
		return Location{File: r.File, Line: r.Line, Column: 1}
	}
	pos, exact := r.own.doc.Find(append(slices.Clone(r.own.path), at...)...)
	return Location{File: r.File, Line: pos.Line, Column: pos.Column, Exact: exact && r.trace == nil}
}

// follow gives the value at a path.
func follow(v any, at rules.Path) (any, bool) {
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
// if the tree defines it: the outermost Kustomization that does puts it in.
func (r *Release) variable(f field) (Location, bool) {
	text, _ := f.value.(string)
	m := variableUse.FindStringSubmatch(text)
	if m == nil {
		return Location{}, false
	}
	for _, k := range slices.Backward(r.chain) {
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

// definition finds where a variable is written.
func (r *Release) definition(k *kustomization, from varSource, name string) (*manifest.Document, []any) {
	if from.object == nil {
		v, _ := follow(k.object[traceKey], rules.Path{"postBuild", "substitute", name})
		f, ok := r.tags.get(v)
		if !ok {
			return nil, nil
		}
		return f.doc, f.path
	}
	kind, _ := from.object["kind"].(string)
	namespace, _ := nested(from.object, "metadata", "namespace").(string)
	object, _ := nested(from.object, "metadata", "name").(string)
	found := r.loader.nearest(k.dir, kind, namespace, object)
	if found == nil {
		return nil, nil
	}
	for _, field := range []string{"data", "stringData"} {
		if nested(found.object, field, name) != nil {
			return found.doc, []any{field, name}
		}
	}
	return nil, nil
}

// Decision is an effective failure setting and who decided it.
type Decision struct {
	Path  rules.Path
	Value any
	By    Location
}

// Decided lists the failure settings that are written, in order of their paths.
func (r *Release) Decided() []Decision {
	var out []Decision
	for _, name := range failureFields {
		leaves(rules.Path{"spec", name}, nested(r.Object, "spec", name), func(at rules.Path, v any) {
			out = append(out, Decision{Path: at, Value: v, By: r.Locate(at)})
		})
	}
	return out
}

// Override is a failure setting that the release's own document writes and
// that a patch replaces by another value; Effective is nil if it is removed.
type Override struct {
	Path               rules.Path
	Written, Effective any
	// At is where the release writes it, By where it is overridden.
	At, By Location
}

// Overrides lists the failure settings that the release writes in vain.
func (r *Release) Overrides() []Override {
	if r.own.doc == nil || r.trace == nil {
		return nil
	}
	value, err := r.own.doc.Decode()
	if err != nil {
		return nil
	}
	var out []Override
	for _, name := range failureFields {
		own := append(slices.Clone(r.own.path), "spec", name)
		written, _ := follow(value, own)
		leaves(rules.Path{"spec", name}, written, func(at rules.Path, v any) {
			effective, _ := follow(r.Object, at)
			if f, ok := r.writerOf(at); ok && f.doc == r.own.doc {
				return
			}
			if text, ok := v.(string); ok && variableUse.MatchString(text) || same(v, effective) {
				return
			}
			pos, exact := r.own.doc.Find(append(slices.Clone(r.own.path), at...)...)
			out = append(out, Override{
				Path: at, Written: v, Effective: effective,
				At: Location{File: r.File, Line: pos.Line, Column: pos.Column, Exact: exact}, By: r.Locate(at),
			})
		})
	}
	return out
}

// same compares values, of which one may have come through JSON.
func same(a, b any) bool {
	return reflect.DeepEqual(a, b) || fmt.Sprint(a) == fmt.Sprint(b)
}
