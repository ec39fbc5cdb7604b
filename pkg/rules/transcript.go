package rules

import (
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// transcript is what an evaluation asks of an input, each question once.
type transcript struct {
	asked   []question
	seen    map[string]bool
	lost    bool // more was asked than questions can say
	own     bool // there are rules of a user, which may look for an object in a set
	watched int  // objects
}

// same are the sections of an input that are the same for all releases of a tier, or there
// only for one with unknown fields.
var same = []string{"law", "params", "open", "only"}

// watch returns an input of which it learns what is asked.
func (t *transcript) watch(input ast.Object) *watched {
	out := ast.NewObject()
	input.Foreach(func(key, value *ast.Term) {
		name := string(key.Value.(ast.String))
		if !slices.Contains(same, name) {
			value = t.below(value, []any{name})
		}
		out.Insert(key, value)
	})
	return &watched{Object: out, observer: place{t, nil}}
}

// below returns a part of the input in which every object is watched.
func (t *transcript) below(term *ast.Term, at []any) *ast.Term {
	switch v := term.Value.(type) {
	case ast.Object:
		pairs := make([][2]*ast.Term, 0, v.Len())
		v.Foreach(func(key, value *ast.Term) {
			pairs = append(pairs, ast.Item(key, t.below(value, append(slices.Clip(at), string(key.Value.(ast.String))))))
		})
		t.watched++
		return ast.NewTerm(&watched{ast.NewObject(pairs...), place{t, at}, t.watched})
	case *ast.Array:
		items := make([]*ast.Term, v.Len())
		for i := range items {
			items[i] = t.below(v.Elem(i), append(slices.Clip(at), i))
		}
		return ast.ArrayTerm(items...)
	}
	return term
}

// ask notes a question. The input as a whole is more than a view can answer for.
func (t *transcript) ask(how aspect, at ...any) {
	if len(at) == 0 {
		t.lost = true
		return
	}
	id := fmt.Sprintf("%d%q", how, at)
	if !t.seen[id] {
		t.seen[id] = true
		t.asked = append(t.asked, question{at, how})
	}
}

// place observes an object of an input for a transcript.
type place struct {
	*transcript
	at []any
}

func (p place) get(key *ast.Term) {
	name, ok := key.Value.(ast.String)
	if ok && (len(p.at) > 0 || !slices.Contains(same, string(name))) {
		p.ask(itself, append(slices.Clip(p.at), string(name))...)
	}
}

func (p place) list() { p.ask(itsKeys, p.at...) }

func (p place) hash() {
	if p.own {
		p.all()
	}
}

func (p place) all() { p.ask(allOfIt, p.at...) }
