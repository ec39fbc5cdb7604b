package flux

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// variable returns the place that defines the variable in a field's value, and whether it
// is known. In the release's own document only the Kustomization that applies it
// substitutes variables; in a patch the outermost one that defines it does.
func (r *Release) variable(o trace.Origin) (Location, bool) {
	text, _ := o.Value.(string)
	m := build.VariableUse.FindStringSubmatch(text)
	if m == nil {
		return Location{}, false
	}
	through := r.origins.chain
	if r.origins.isOwn(o) && len(through) > 1 {
		through = through[:1]
	}
	for _, k := range slices.Backward(through) {
		from, ok := k.Variables.From[m[1]]
		if !ok {
			continue
		}
		doc, at := r.origins.definition(k, from, m[1])
		if doc == nil {
			return Location{}, false
		}
		pos, exact := doc.Find(at...)
		return Location{
			File: doc.File.Name, Line: pos.Line, Column: pos.Column, Exact: exact,
			Excerpt: doc.Excerpt(!from.Secret(), at...), doc: doc, path: at,
			SetBy: []Writer{{What: "variable " + m[1] + " of " + from.What, File: doc.File.Name, Line: pos.Line}, r.user(o)},
		}, true
	}
	return Location{}, false
}

// user returns the writer whose text uses a variable.
func (r *Release) user(o trace.Origin) Writer {
	if r.origins.isOwn(o) {
		return Writer{What: "the release's own document", File: r.File, Line: r.Line}
	}
	return writerAt(o)
}
