package prepared

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Read reads a module that [Write] has written, and returns what follows it.
func Read(text string) (m *ast.Module, rest string, err error) {
	list, text, _ := strings.Cut(text, "\n")
	nodes, rest, _ := strings.Cut(text, "\n")
	var scalars []string
	if err := json.Unmarshal([]byte(list), &scalars); err != nil {
		return nil, "", fmt.Errorf("read scalars: %w", err)
	}
	defer func() {
		if p := recover(); p != nil { // an index beyond an end
			m, err = nil, fmt.Errorf("read nodes: %v", p)
		}
	}()
	r := &reader{nodes: nodes, scalars: make([]*ast.Term, len(scalars))}
	for i, text := range scalars {
		r.scalars[i] = scalarOf(text)
	}
	m = &ast.Module{Package: &ast.Package{Path: r.terms()}}
	m.Rules = make([]*ast.Rule, r.number())
	for i := range m.Rules {
		m.Rules[i] = r.rule(m)
	}
	return m, rest, nil
}

// scalarOf returns the term of a letter and a text.
func scalarOf(text string) *ast.Term {
	kind, text := text[0], text[1:]
	switch kind {
	case 's':
		return ast.StringTerm(text)
	case 'v':
		return ast.VarTerm(text)
	case 'n':
		return ast.NumberTerm(json.Number(text))
	case 'b':
		return ast.BooleanTerm(text == "true")
	}
	return ast.NullTerm()
}

type reader struct {
	nodes   string
	scalars []*ast.Term // each for all its places: nothing changes a term of a compiled module
}

func (r *reader) number() (n int) {
	for shift := 0; ; shift += digitBits {
		digit := int(r.nodes[0]) - firstDigit
		r.nodes = r.nodes[1:]
		n |= digit & digitMask << shift
		if digit&digitMore == 0 {
			return n
		}
	}
}

func (r *reader) flag() bool { return r.number() == 1 }

func (r *reader) rule(m *ast.Module) *ast.Rule {
	out := &ast.Rule{Module: m, Default: r.flag(), Head: r.head(), Body: r.body()}
	if r.flag() {
		out.Else = r.rule(m)
	}
	return out
}

func (r *reader) head() *ast.Head {
	name := r.scalars[r.number()].Value.(ast.Var)
	return &ast.Head{
		Name: name, Reference: r.terms(), Args: r.terms(),
		Key: r.optional(), Value: r.optional(), Assign: r.flag(),
	}
}

func (r *reader) body() ast.Body {
	out := make(ast.Body, r.number())
	for i := range out {
		out[i] = r.expr()
		out[i].Index = i
	}
	return out
}

func (r *reader) expr() *ast.Expr {
	out := &ast.Expr{Negated: r.flag(), Generated: r.flag()}
	for range r.number() {
		out.With = append(out.With, &ast.With{Target: r.term(), Value: r.term()})
	}
	switch r.number() {
	case oneTerm:
		out.Terms = r.term()
	case call:
		out.Terms = r.terms()
	case every:
		out.Terms = &ast.Every{Key: r.optional(), Value: r.term(), Domain: r.term(), Body: r.body()}
	}
	return out
}

func (r *reader) terms() []*ast.Term {
	n := r.number()
	if n == 0 {
		return nil
	}
	out := make([]*ast.Term, n)
	for i := range out {
		out[i] = r.term()
	}
	return out
}

func (r *reader) optional() *ast.Term {
	if r.flag() {
		return r.term()
	}
	return nil
}

func (r *reader) term() *ast.Term {
	switch kind := r.number(); kind {
	case scalar:
		return r.scalars[r.number()]
	case ref:
		return ast.NewTerm(ast.Ref(r.terms()))
	case array:
		return ast.ArrayTerm(r.terms()...)
	case object:
		return ast.ObjectTerm(r.items()...)
	case set:
		return ast.SetTerm(r.terms()...)
	case arrayComprehension:
		return ast.ArrayComprehensionTerm(r.term(), r.body())
	case setComprehension:
		return ast.SetComprehensionTerm(r.term(), r.body())
	case objectComprehension:
		return ast.ObjectComprehensionTerm(r.term(), r.term(), r.body())
	default:
		panic(fmt.Sprintf("there is no kind %d", kind))
	}
}

func (r *reader) items() [][2]*ast.Term {
	out := make([][2]*ast.Term, r.number())
	for i := range out {
		out[i] = ast.Item(r.term(), r.term())
	}
	return out
}
