package effective

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Explanation says why a field has its value: all that writes it, in the order in which
// Flux applies it.
type Explanation struct {
	Path  release.Path // a field that holds no others; a list is one
	Value any          // in force; nil if it is not set
	Steps []Step
}

// Step is something that has a say in the value of a field.
type Step struct {
	Writer
	Column int
	Does   trace.Does
	Value  any
}

// What a step can do besides what a writer does.
const (
	// Substitutes is what a variable does to the text that uses it.
	Substitutes trace.Does = "substitutes"
	// Gives is what a text does in which something is substituted, if that is not all of it.
	Gives trace.Does = "gives"
	// Defaults is what helm-controller does where nothing is set.
	Defaults trace.Does = "defaults to"
	// Uses is what helm-controller does with a value that it does not take.
	Uses trace.Does = "uses"
	// Hides is what something unknown does: it comes after all that is known.
	Hides trace.Does = "is not known"
)

// Explain explains the fields at and below a path: those that are set, those that
// something sets on the way, and those that have a default. The builder of the load must
// list writers.
func (r *Release) Explain(at release.Path) []Explanation {
	e := explainer{Release: r}
	for _, writer := range r.writers() {
		e.writes = append(e.writes, writer.Writes()...)
	}
	if r.Settings != nil {
		e.defaults = r.Settings.ByField()
	}
	var out []Explanation
	for _, field := range e.fields(at) {
		out = append(out, e.explain(field))
	}
	return out
}

// explainer explains fields of a release by all that writes its fields, and by the defaults.
type explainer struct {
	*Release
	writes   []trace.Write
	defaults []release.Setting
}

// writers lists all that writes fields of spec, the release's own document first.
func (r *origins) writers() []trace.Origin {
	var all []trace.Origin
	if len(r.chain) > 0 {
		k := r.chain[0]
		own := func(name string) bool { f := k.Source.Files().File(name); return f != nil && f.Name() == r.File }
		all = r.table.Writers(r.shadow, k.Source.Patches(k.Dir, k.Object, own))
	}
	if len(all) == 0 && r.own.Doc != nil {
		all = append(all, r.own)
	}
	return all
}

// WrittenIn reports whether a release is written in a file, or is applied or patched by it.
// Variables may stand in any other.
func (r *origins) WrittenIn(is func(file string) bool) bool {
	return is(r.File) || slices.ContainsFunc(r.AppliedBy, func(by Writer) bool { return is(by.File) }) ||
		slices.ContainsFunc(r.writers(), func(o trace.Origin) bool { return is(o.Doc.File.Name) })
}

// fields lists the fields at and below a path, or the list that holds it.
func (r *explainer) fields(at release.Path) []release.Path {
	at = wholeList(at)
	var out []release.Path
	add := func(field release.Path) {
		if field.Within(at) && !slices.ContainsFunc(out, func(p release.Path) bool { return slices.Equal(p, field) }) {
			out = append(out, field)
		}
	}
	for _, w := range r.writes {
		if w.Does != trace.Removes {
			add(w.Field)
		}
	}
	value, _ := object.Follow(r.Object, at)
	object.Leaves(at, value, func(field release.Path, _ any) { add(wholeList(field)) })
	for _, s := range r.defaults {
		add(s.Field)
	}
	if len(out) == 0 {
		out = append(out, at)
	}
	slices.SortFunc(out, func(a, b release.Path) int { return slices.Compare(steps(a), steps(b)) })
	return out
}

func steps(p release.Path) []string {
	var out []string
	for _, step := range p {
		out = append(out, fmt.Sprint(step))
	}
	return out
}

// wholeList returns a path up to the first list.
func wholeList(at release.Path) release.Path {
	if i := slices.IndexFunc(at, func(step any) bool { _, item := step.(int); return item }); i >= 0 {
		return at[:i]
	}
	return at
}

func (r *explainer) explain(field release.Path) Explanation {
	out := Explanation{Path: field}
	out.Value, _ = object.Follow(r.Object, field)
	var last trace.Write
	for _, w := range r.writes {
		if !touches(w, field) || w.Does == trace.Removes && (last.Does == "" || last.Does == trace.Removes) {
			continue // nothing is there that it could remove
		}
		if n := len(out.Steps); n > 0 && last.Does == trace.Removes && last.Doc == w.Doc {
			out.Steps = out.Steps[:n-1] // it replaces what is there
		}
		out.Steps, last = append(out.Steps, r.step(w)), w
	}
	out.Steps = slices.Concat(out.Steps, r.substituted(last, out.Value), r.unseen(field, last, out.Value), r.defaulted(field, out.Value))
	return out
}

// touches reports whether a write has a say in a field: it is on the field, it removes what
// holds the field, or makes something else of that.
func touches(w trace.Write, field release.Path) bool {
	return slices.Equal(w.Field, field) || !w.Does.InList() && field.Within(w.Field)
}

func (r *explainer) step(w trace.Write) Step {
	pos, _ := w.Doc.Find(w.Path...)
	by := writerAt(w.Origin)
	if w.Writer.What == "" && r.isOwn(w.Origin) {
		by.What = ownDocument
	}
	by.Line = pos.Line
	return Step{Writer: by, Column: pos.Column, Does: w.Does, Value: w.Value}
}
