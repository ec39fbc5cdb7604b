package flux

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// variable returns the place of the variable that a field takes its value from,
// if the tree defines it: the outermost Kustomization that does puts it in, and
// in the release's own document only the one that applies it.
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
			SetBy: []Writer{{What: "variable " + m[1] + " of " + from.What, File: doc.File.Name, Line: pos.Line}, r.user(o)},
		}, true
	}
	return Location{}, false
}

// user names what uses a variable.
func (r *Release) user(o trace.Origin) Writer {
	if r.origins.isOwn(o) {
		return Writer{What: "the release's own document", File: r.File, Line: r.Line}
	}
	return writerAt(o)
}
