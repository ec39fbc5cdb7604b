package rego

import (
	"github.com/flux-remedy/remedy/pkg/rules/internal/places"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// readTracer notes what an evaluation reads of the input. Each expression is traced when it is
// evaluated, with the values of its variables: the references in it say what it reads. Of a
// reference that is only given to object.get, what is at the path is read.
type readTracer struct {
	lookups lookups
	read    map[string]places.Place   // by name
	refs    map[*ast.Expr][]*ast.Term // what was found in expressions
}

// Reads returns what an evaluation of a query reads of the input, by name.
func (e *Evaluation) Reads(query *Query) (map[string]places.Place, error) {
	seen := e.newReadTracer()
	_, err := e.trace(query, seen)
	return seen.read, err
}

func (e *Evaluation) newReadTracer() *readTracer {
	return &readTracer{e.policies.lookups(), map[string]places.Place{}, map[*ast.Expr][]*ast.Term{}}
}

// Enabled implements [topdown.QueryTracer].
func (*readTracer) Enabled() bool { return true }

// Config implements [topdown.QueryTracer].
func (*readTracer) Config() topdown.TraceConfig { return topdown.TraceConfig{} }

// TraceEvent implements [topdown.QueryTracer].
func (t *readTracer) TraceEvent(event topdown.Event) {
	expr, ok := event.Node.(*ast.Expr)
	if !ok || event.Op != topdown.EvalOp || t.lookups.assignments[expr] {
		return
	}
	refs, known := t.refs[expr]
	if !known {
		refs = refsIn(expr)
		t.refs[expr] = refs
	}
	for _, ref := range refs {
		t.note(event.Plug(ref))
	}
	if of, ok := t.lookups.calls[expr]; ok {
		t.note(event.Plug(ast.NewTerm(below(of, event.Plug(expr.Operand(1))))))
	}
}

// below returns the reference to what object.get returns for a key or a path.
func below(ref ast.Ref, path *ast.Term) ast.Ref {
	if list, ok := path.Value.(*ast.Array); ok {
		list.Foreach(func(step *ast.Term) { ref = ref.Append(step) })
		return ref
	}
	return ref.Append(path)
}

func (t *readTracer) note(ref *ast.Term) {
	found, ok := ref.Value.(ast.Ref)
	if !ok {
		return
	}
	at, _ := placeOf(found)
	t.read[at.String()] = at
}

// refsIn returns the references to the input in an expression, but for those in its
// comprehensions and under every: their expressions are traced themselves.
func refsIn(expr *ast.Expr) (out []*ast.Term) {
	var visit func(x any) bool
	visit = func(x any) bool {
		switch x := x.(type) {
		case ast.Body, *ast.ArrayComprehension, *ast.SetComprehension, *ast.ObjectComprehension:
			return true
		case ast.Ref:
			if _, ok := placeOf(x); ok {
				out = append(out, ast.NewTerm(x))
			}
			for _, step := range x[1:] {
				ast.NewGenericVisitor(visit).Walk(step)
			}
			return true
		case ast.Var:
			if x.Equal(ast.InputRootDocument.Value) {
				out = append(out, ast.NewTerm(ast.InputRootRef))
			}
		}
		return false
	}
	ast.NewGenericVisitor(visit).Walk(expr)
	return out
}

// lookups are the calls of object.get on parts of the input. The compiler makes two expressions
// of object.get(input.x, key, default): v = input.x, and object.get(v, key, default).
type lookups struct {
	assignments map[*ast.Expr]bool    // the first of the two, which reads nothing by itself
	calls       map[*ast.Expr]ast.Ref // the second one, with the part of the input
}

// lookupsIn finds the lookups of compiled modules.
func lookupsIn(modules map[string]*ast.Module) lookups {
	out := lookups{map[*ast.Expr]bool{}, map[*ast.Expr]ast.Ref{}}
	for _, module := range modules {
		ast.WalkBodies(module, func(body ast.Body) bool {
			out.find(body)
			return false
		})
	}
	return out
}

func (l lookups) find(body ast.Body) {
	parts := map[ast.Var]*ast.Expr{}
	for _, expr := range body {
		if name, _, ok := assigned(expr); ok {
			parts[name] = expr
		}
		if !isLookup(expr) {
			continue
		}
		name, _ := expr.Operand(0).Value.(ast.Var)
		if of, ok := parts[name]; ok && uses(body, name) == 2 {
			_, l.calls[expr], _ = assigned(of)
			l.assignments[of] = true
		}
	}
}

func isLookup(expr *ast.Expr) bool {
	return expr.IsCall() && expr.Operator().Equal(ast.ObjectGet.Ref()) && len(expr.With) == 0
}

// assigned returns the variable of the compiler and the part of the input in an expression such as v = input.x.
func assigned(expr *ast.Expr) (ast.Var, ast.Ref, bool) {
	if !expr.IsEquality() || len(expr.With) > 0 {
		return "", nil, false
	}
	name, ok := expr.Operand(0).Value.(ast.Var)
	ref, isRef := expr.Operand(1).Value.(ast.Ref)
	_, isInput := placeOf(ref)
	return name, ref, ok && isRef && isInput && name.IsGenerated()
}

// uses counts how often a variable stands in a body.
func uses(body ast.Body, name ast.Var) (n int) {
	ast.WalkVars(body, func(v ast.Var) bool {
		if v == name {
			n++
		}
		return false
	})
	return n
}
