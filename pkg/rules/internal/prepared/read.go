package prepared

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/open-policy-agent/opa/v1/ast"
	"golang.org/x/sync/errgroup"
)

// Read reads the modules that [Write] has written one after the other.
func Read(text string) ([]*ast.Module, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines)%2 != 0 {
		return nil, errors.New("a module is two lines")
	}
	modules := make([]*ast.Module, len(lines)/2)
	var workers errgroup.Group
	var taken atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() error {
			for i := int(taken.Add(1)) - 1; i < len(modules); i = int(taken.Add(1)) - 1 {
				module, err := read(lines[2*i], lines[2*i+1])
				if err != nil {
					return err
				}
				modules[i] = module
			}
			return nil
		})
	}
	return modules, workers.Wait()
}

// read reads a module of its two lines.
func read(scalars, nodes string) (m *ast.Module, err error) {
	defer func() {
		if p := recover(); p != nil { // an index beyond an end
			m, err = nil, fmt.Errorf("read nodes: %v", p)
		}
	}()
	r := &reader{nodes: nodes, scalars: make([]*ast.Term, 0, strings.Count(scalars, "\t")+1)}
	for text := range strings.SplitSeq(scalars, "\t") {
		r.scalars = append(r.scalars, scalarOf(text))
	}
	m = &ast.Module{Package: &ast.Package{Path: r.terms()}}
	m.Rules = make([]*ast.Rule, r.number())
	for i := range m.Rules {
		m.Rules[i] = r.rule(m)
	}
	return m, nil
}

// plain puts back what a scalar may not hold.
var plain = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n")

// scalarOf returns the term of a letter and a text.
func scalarOf(text string) *ast.Term {
	kind, text := text[0], text[1:]
	if strings.Contains(text, `\`) {
		text = plain.Replace(text)
	}
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
