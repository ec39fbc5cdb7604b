package prepared

import (
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Write returns a compiled module as two lines. It fails on what the compiler would have
// rewritten.
func Write(m *ast.Module) (string, error) {
	w := &writer{place: map[string]int{}}
	w.terms(m.Package.Path)
	w.number(len(m.Rules))
	for _, rule := range m.Rules {
		w.rule(rule)
	}
	if w.err != nil {
		return "", fmt.Errorf("%s: %w", m.Package, w.err)
	}
	return strings.Join(w.scalars, "\t") + "\n" + string(w.nodes) + "\n", nil
}

// escaped is a scalar on a line, between tabs.
var escaped = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`)

type writer struct {
	nodes   []byte
	scalars []string
	place   map[string]int // in scalars
	err     error
}

func (w *writer) number(n int) {
	for ; n > digitMask; n >>= digitBits {
		w.nodes = append(w.nodes, firstDigit+byte(n&digitMask|digitMore))
	}
	w.nodes = append(w.nodes, firstDigit+byte(n))
}

func (w *writer) flag(on bool) {
	if on {
		w.number(1)
	} else {
		w.number(0)
	}
}

func (w *writer) scalar(text string) {
	at, ok := w.place[text]
	if !ok {
		at = len(w.scalars)
		w.place[text] = at
		w.scalars = append(w.scalars, escaped.Replace(text))
	}
	w.number(at)
}

func (w *writer) rule(r *ast.Rule) {
	w.flag(r.Default)
	w.head(r.Head)
	w.body(r.Body)
	w.flag(r.Else != nil)
	if r.Else != nil {
		w.rule(r.Else)
	}
}

func (w *writer) head(h *ast.Head) {
	w.scalar("v" + string(h.Name))
	w.terms(h.Reference)
	w.terms(h.Args)
	w.optional(h.Key)
	w.optional(h.Value)
	w.flag(h.Assign)
}

func (w *writer) body(b ast.Body) {
	w.number(len(b))
	for _, expr := range b {
		w.expr(expr)
	}
}

func (w *writer) expr(e *ast.Expr) {
	w.flag(e.Negated)
	w.flag(e.Generated)
	w.number(len(e.With))
	for _, with := range e.With {
		w.term(with.Target)
		w.term(with.Value)
	}
	switch terms := e.Terms.(type) {
	case *ast.Term:
		w.number(oneTerm)
		w.term(terms)
	case []*ast.Term:
		w.number(call)
		w.terms(terms)
	case *ast.Every:
		w.number(every)
		w.optional(terms.Key)
		w.term(terms.Value)
		w.term(terms.Domain)
		w.body(terms.Body)
	default:
		w.err = fmt.Errorf("%s: a %T in a compiled module", e, terms)
	}
}

func (w *writer) terms(terms []*ast.Term) {
	w.number(len(terms))
	for _, term := range terms {
		w.term(term)
	}
}

func (w *writer) optional(t *ast.Term) {
	w.flag(t != nil)
	if t != nil {
		w.term(t)
	}
}

func (w *writer) term(t *ast.Term) {
	switch v := t.Value.(type) {
	case ast.Ref:
		w.number(ref)
		w.terms(v)
	case *ast.Array:
		w.number(array)
		w.number(v.Len())
		v.Foreach(w.term)
	case ast.Object:
		w.number(object)
		w.number(v.Len())
		v.Foreach(func(key, value *ast.Term) { w.term(key); w.term(value) })
	case ast.Set:
		w.number(set)
		w.terms(v.Slice())
	case *ast.ArrayComprehension:
		w.number(arrayComprehension)
		w.term(v.Term)
		w.body(v.Body)
	case *ast.SetComprehension:
		w.number(setComprehension)
		w.term(v.Term)
		w.body(v.Body)
	case *ast.ObjectComprehension:
		w.number(objectComprehension)
		w.term(v.Key)
		w.term(v.Value)
		w.body(v.Body)
	default:
		w.number(scalar)
		w.scalar(w.textOf(v))
	}
}

// textOf returns a scalar as a letter and its text.
func (w *writer) textOf(v ast.Value) string {
	switch v := v.(type) {
	case ast.String:
		return "s" + string(v)
	case ast.Var:
		return "v" + string(v)
	case ast.Number:
		return "n" + string(v)
	case ast.Boolean:
		return "b" + v.String()
	case ast.Null:
		return "0"
	}
	w.err = fmt.Errorf("%s: a %T in a compiled module", v, v)
	return ""
}
