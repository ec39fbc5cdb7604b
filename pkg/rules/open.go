package rules

import (
	"context"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// Open is a rule that cannot be checked for a release, because it reads fields whose
// values are not known.
type Open struct {
	Rule     string
	Severity Severity // the worst that it reports in the release's tier
	Fields   []release.Unknown
}

// judgeOpen judges a release with unknown fields. It evaluates each rule alone and notes
// what it reads: with the same values there, a rule always says the same. The rules that
// read no unknown field then judge the release.
func (e *Engine) judgeOpen(ctx context.Context, r *release.Release) (Verdict, error) {
	input, err := e.Input(r)
	if err != nil {
		return Verdict{}, err
	}
	seen := &reads{fields: map[int]bool{}}
	open, names := []Open{}, []*ast.Term{}
	watched := watchInput(input.(ast.Object), r, seen)
	for _, id := range e.openFor(r) {
		names = append(names, ast.StringTerm(id))
	}
	for _, rule := range e.asked(r) {
		own, added := e.own[rule.ID]
		seen.own = added
		fields, err := e.readBy(ctx, watched, seen, r, rule.Category, rule.ID)
		if err != nil {
			return Verdict{}, err
		}
		if own.makesObjects {
			fields = r.Unknown
		}
		if len(fields) > 0 {
			names = append(names, ast.StringTerm(rule.ID))
			open = append(open, Open{rule.ID, e.Severity(rule, r.Tier).raise(max(rule.Raise, 0)), fields})
		}
	}
	seen.own = false
	class, err := e.readBy(ctx, watched, seen, r)
	if err != nil {
		return Verdict{}, err
	}
	input.(ast.Object).Insert(ast.InternedTerm("open"), ast.ArrayTerm(names...))
	told, err := e.ask(ctx, input)
	if err != nil {
		return Verdict{}, err
	}
	verdict, err := e.verdict(told, r)
	if len(class) > 0 {
		verdict.Class, verdict.ClassOpen = ClassUnknown, class
	}
	verdict.Open = append(verdict.Open, slices.DeleteFunc(open, func(o Open) bool { return o.Severity == Off || e.countsNot(o.Rule) })...)
	return verdict, err
}

// openOf returns what a rule says that it cannot check, for what is not in the object.
func (e *Engine) openOf(made report, r *release.Release) []Open {
	rule, ok := e.Rule(made.Rule)
	if severity := e.Severity(rule, r.Tier).raise(max(rule.Raise, 0)); ok && severity != Off && !e.countsNot(rule.ID) {
		return []Open{{rule.ID, severity, []release.Unknown{{Reason: made.Open}}}}
	}
	return nil
}

// readBy returns the unknown fields that a rule reads, given by category and id, or those
// that the class depends on.
func (e *Engine) readBy(ctx context.Context, input *watched, seen *reads, r *release.Release, rule ...string) ([]release.Unknown, error) {
	clear(seen.fields)
	only := make([]*ast.Term, len(rule))
	for i, name := range rule {
		only[i] = ast.StringTerm(name)
	}
	input.Insert(ast.InternedTerm("only"), ast.ArrayTerm(only...))
	if _, err := e.try(ctx, input); err != nil {
		input.whole() // and maybe more, had it not failed
	}
	var fields []release.Unknown
	for i, u := range r.Unknown {
		if seen.fields[i] {
			fields = append(fields, u)
		}
	}
	return fields, ctx.Err()
}

// try evaluates the query for what it reads. OPA panics where it does not expect a watched
// object, which is a use of all of it.
func (e *Engine) try(ctx context.Context, input *watched) (results rego.ResultSet, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return e.eval(ctx, rego.EvalParsedInput(input))
}

// watchInput returns a copy of an input in which the unknown fields of a release are
// watched, wherever they are seen: in the object, in its fields, in settings that depend
// on them, and in overrides.
func watchInput(input ast.Object, r *release.Release, seen *reads) *watched {
	object := &marks{}
	for i, u := range r.Unknown {
		if !u.Written {
			object.add(u.Path, i)
		}
	}
	object.items()
	watchedObject := watch(input.Get(ast.InternedTerm("object")), object, seen)
	rest := &marks{below: map[any]*marks{"object": object}}
	for i, u := range r.Unknown {
		if !u.Text && !u.Written {
			rest.add([]any{"typed"}, i)
		}
		settings := u.Settings()
		if u.Before {
			rest.addBefore(settings, i)
			continue
		}
		if r.Settings == nil { // maybe because of it
			settings = []release.Path{{}}
		}
		for _, at := range settings {
			rest.add(append([]any{"effective"}, at...), i)
			rest.add(append([]any{"flipped"}, at...), i)
		}
		for n, o := range r.Overridden {
			if touches(u.Path, o.Path) {
				rest.add([]any{"overrides", n, "effective"}, i)
			}
		}
	}
	_, chart := release.Chart(r.Object)
	for i, u := range r.Unknown {
		if u.Before {
			continue
		}
		if touches(u.Path, release.ChartInSource) || touches(u.Path, release.ChartInURL) || touches(u.Path, chart) {
			rest.add([]any{"stateful"}, i)
		}
	}
	out := ast.NewObject()
	input.Foreach(func(key, value *ast.Term) { out.Insert(key, watch(value, rest.under(key), seen)) })
	out.Insert(ast.InternedTerm("object"), watchedObject)
	out.Insert(ast.InternedTerm("fields"), watchFields(fieldsOf(watchedObject), r, seen))
	return &watched{Object: out, observer: &marked{marks: rest, reads: seen}}
}

// addBefore marks settings of the object that an update replaces.
func (m *marks) addBefore(settings []release.Path, field int) {
	for _, at := range settings {
		m.add(append([]any{"before"}, at...), field)
		if len(at) == 0 || at[0] == "target" {
			m.add([]any{"changed"}, field)
		}
	}
}

// touches reports whether one path is within the other.
func touches(a, b release.Path) bool { return a.Within(b) || b.Within(a) }

// watchFields watches the values that stand for an unknown field alone, and whether they
// are there.
func watchFields(fields *ast.Term, r *release.Release, seen *reads) *ast.Term {
	of := &marks{}
	for i, u := range r.Unknown {
		if u.Written {
			continue
		}
		if inSpec := touches(u.Path, release.Path{"spec"}); inSpec && !u.Text && release.MayHold(u.Path) {
			of.own = append(of.own, i)
		}
		for at := u.Path; len(at) > 0; at = at[:len(at)-1] {
			markField(of, fields, at, i)
			if _, item := at[len(at)-1].(int); !item {
				break
			}
		}
	}
	out := watch(fields, of, seen)
	if w, ok := out.Value.(*watched); ok {
		w.observer.(*marked).listed = true
	}
	return out
}

// markField marks the entry of a path.
func markField(of *marks, fields *ast.Term, at release.Path, field int) {
	path, err := termOf([]any(at))
	if err != nil {
		return
	}
	fields.Value.(ast.Object).Foreach(func(name, entries *ast.Term) {
		key := string(name.Value.(ast.String))
		list, _ := entries.Value.(*ast.Array)
		for i := range list.Len() {
			if list.Elem(i).Get(ast.InternedTerm("path")).Equal(path) {
				of.add([]any{key}, field)
				of.add([]any{key, i, "value"}, field)
			}
		}
	})
}
