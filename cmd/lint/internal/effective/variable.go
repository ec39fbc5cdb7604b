package effective

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// variable returns the place that defines the variable in a field's value, and whether it
// is known.
func (r *origins) variable(o trace.Origin) (Location, bool) {
	text, _ := o.Value.(string)
	m := variables.Use().FindStringSubmatch(text)
	if m == nil {
		return Location{}, false
	}
	d, ok := r.definedIn(o, m[1])
	if !ok || d.doc == nil {
		return Location{}, false
	}
	user := writerAt(o)
	if r.isOwn(o) {
		user = Writer{What: ownDocument, File: r.File, Line: r.Line}
	}
	pos, exact := d.doc.Find(d.at...)
	return Location{
		File: d.doc.File.Name, Line: pos.Line, Column: pos.Column, Exact: exact,
		Excerpt: d.doc.Excerpt(!d.from.Secret(), d.at...), doc: d.doc, path: d.at,
		SetBy: []Writer{{What: "variable " + m[1] + " of " + d.from.What, File: d.doc.File.Name, Line: pos.Line}, user},
	}, true
}

// defined is a variable with its value and the place that defines it; doc is nil if that is
// not known.
type defined struct {
	from  variables.Definition
	value string
	doc   *yamledit.Document
	at    []any
}

// definedIn returns a variable that a writer uses. In the release's own document only the
// Kustomization that applies it substitutes variables; in a patch the outermost one that
// defines it does.
func (r *origins) definedIn(o trace.Origin, name string) (defined, bool) {
	through := r.chain
	if r.isOwn(o) && len(through) > 1 {
		through = through[:1]
	}
	for _, k := range slices.Backward(through) {
		if from, ok := k.Variables.From[name]; ok {
			doc, at := r.definition(k, from, name)
			return defined{from, k.Variables.Values[name], doc, at}, true
		}
	}
	return defined{}, false
}

// ownDocument is how people are shown a release's own document as a writer.
const ownDocument = "the release's own document"
