package rego

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/pkg/rules/internal/places"

	"github.com/open-policy-agent/opa/v1/ast"
)

// reads are the places of the input that a rule may read, by its id. The class is under "".
type reads map[string][]places.Place

// writtenReads is the JSON of [reads]: each place once, and for each rule the numbers of its places.
type writtenReads struct {
	Places []places.Place   `json:"places"`
	Of     map[string][]int `json:"of"`
}

// MarshalJSON writes [writtenReads].
func (r reads) MarshalJSON() ([]byte, error) {
	all, numbers := writtenReads{Of: map[string][]int{}}, map[string]int{}
	for _, id := range slices.Sorted(maps.Keys(r)) {
		for _, at := range r[id] {
			n, known := numbers[at.String()]
			if !known {
				n = len(all.Places)
				numbers[at.String()], all.Places = n, append(all.Places, at)
			}
			all.Of[id] = append(all.Of[id], n)
		}
	}
	return json.Marshal(all)
}

// UnmarshalJSON reads [writtenReads].
func (r *reads) UnmarshalJSON(data []byte) error {
	var all writtenReads
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	*r = reads{}
	for id, numbers := range all.Of {
		for _, n := range numbers {
			if n < 0 || n >= len(all.Places) {
				return fmt.Errorf("rule %s reads place %d", id, n)
			}
			(*r)[id] = append((*r)[id], all.Places[n])
		}
	}
	return nil
}

// readsOf finds what rules read in their compiled modules. Evaluation reaches the input by
// references that stand in the text of a rule, or of one that the rule refers to: no builtin
// returns it. So what those references name is all that a rule can depend on. Where a key is
// not known before the rule is evaluated, it may be any.
func readsOf(compiler *ast.Compiler, queries map[string]ast.Ref) reads {
	out := reads{}
	for id, ref := range queries {
		f := &referenceFinder{compiler: compiler, seen: map[*ast.Rule]bool{}, found: map[string]places.Place{}}
		f.follow(ref)
		out[id] = f.all()
	}
	return out
}

// referenceFinder collects references to the input.
type referenceFinder struct {
	compiler *ast.Compiler
	seen     map[*ast.Rule]bool
	found    map[string]places.Place
}

// follow visits the rules that a reference may be to.
func (f *referenceFinder) follow(ref ast.Ref) {
	for _, rule := range f.compiler.GetRulesDynamicWithOpts(ref, ast.RulesOptions{IncludeHiddenModules: true}) {
		if !f.seen[rule] {
			f.seen[rule] = true
			ast.NewGenericVisitor(f.visit).Walk(rule)
		}
	}
}

func (f *referenceFinder) visit(x any) bool {
	switch x := x.(type) {
	case *ast.Expr:
		if at, ok := comparedIn(x); ok {
			f.found[at.String()] = at
			return true
		}
	case ast.Ref:
		if at, ok := placeOf(x); ok {
			f.found[at.String()] = at
		} else if x.HasPrefix(ast.DefaultRootRef) {
			f.follow(x)
		}
		if len(x) > 1 {
			for _, term := range x[1:] {
				ast.NewGenericVisitor(f.visit).Walk(term)
			}
		}
		return true
	case ast.Var:
		if x.Equal(ast.InputRootDocument.Value) {
			f.found[places.Place{}.String()] = places.Place{}
		}
	}
	return false
}

// comparedIn returns what an expression such as input.x == "text" reads: not input.x, but whether that
// is the text.
func comparedIn(expr *ast.Expr) (places.Place, bool) {
	if !expr.IsEquality() || len(expr.With) > 0 {
		return nil, false
	}
	ref, _ := expr.Operand(0).Value.(ast.Ref)
	text, isText := expr.Operand(1).Value.(ast.String)
	at, ok := placeOf(ref)
	return append(at, places.Is(text)), ok && isText && len(at) > 0 && len(at) == len(ref)-1 && !slices.Contains(at, nil)
}

// all returns what was found, without what is within another place.
func (f *referenceFinder) all() []places.Place {
	var out []places.Place
	for _, name := range slices.Sorted(maps.Keys(f.found)) {
		at := f.found[name]
		if !slices.ContainsFunc(out, func(p places.Place) bool { return p.Covers(at) }) {
			out = append(out, at)
		}
	}
	return out
}

// placeOf returns the place that a reference to the input names; false for another one. A
// last step that may be any key means the whole.
func placeOf(ref ast.Ref) (places.Place, bool) {
	if len(ref) == 0 || !ref[0].Equal(ast.InputRootDocument) {
		return nil, false
	}
	at := places.Place{}
	for _, term := range ref[1:] {
		switch step := term.Value.(type) {
		case ast.String:
			at = append(at, string(step))
			continue
		case ast.Number:
			if i, ok := step.Int(); ok {
				at = append(at, i)
				continue
			}
		}
		at = append(at, nil)
	}
	for len(at) > 0 && at[len(at)-1] == nil {
		at = at[:len(at)-1]
	}
	return at, true
}
