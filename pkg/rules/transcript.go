package rules

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/open-policy-agent/opa/v1/ast"
)

// transcript is what an evaluation asks of an input, each question once.
type transcript struct {
	asked   []question
	seen    map[string]bool
	lost    bool // more was asked than questions can say
	watched int  // objects
}

// same are the sections of an input that are the same for all releases of a tier, or there
// only for one with unknown fields.
var same = []string{"law", "params", "open", "only", "held"}

// wholeInput returns questions for all that may differ between releases of a tier.
func wholeInput() []question {
	var out []question
	for _, name := range sortedKeys(jsonFields()[reflect.TypeFor[Input]()]) {
		if !slices.Contains(same, name) {
			out = append(out, question{at: []any{name}, how: allOfIt})
		}
	}
	return out
}

// watch returns an input of which it learns what is asked.
func (t *transcript) watch(input ast.Object) *watched {
	out := ast.NewObject()
	input.Foreach(func(key, value *ast.Term) {
		name := string(key.Value.(ast.String))
		if !slices.Contains(same, name) {
			value = t.below(value, place{t, nil, ""}.step(name, name))
		}
		out.Insert(key, value)
	})
	return &watched{Object: out, observer: place{t, nil, ""}}
}

// below returns a part of the input in which every object is watched.
func (t *transcript) below(term *ast.Term, at place) *ast.Term {
	switch v := term.Value.(type) {
	case ast.Object:
		pairs := make([][2]*ast.Term, 0, v.Len())
		v.Foreach(func(key, value *ast.Term) {
			name := string(key.Value.(ast.String))
			pairs = append(pairs, ast.Item(key, t.below(value, at.step(name, name))))
		})
		t.watched++
		return ast.NewTerm(&watched{ast.NewObject(pairs...), at, t.watched})
	case *ast.Array:
		items := make([]*ast.Term, v.Len())
		for i := range items {
			items[i] = t.below(v.Elem(i), at.step(i, strconv.Itoa(i)))
		}
		return ast.ArrayTerm(items...)
	}
	return term
}

// place observes an object of an input for a transcript.
type place struct {
	*transcript
	at   []any
	name string // of the path, unlike that of any other
}

// step returns the place below this one at a key or an index.
func (p place) step(to any, name string) place {
	return place{p.transcript, append(slices.Clip(p.at), to), p.name + strconv.Itoa(len(name)) + ":" + name}
}

// ask notes a question. The input as a whole is more than a view can answer for.
func (p place) ask(how aspect) {
	if len(p.at) == 0 {
		p.lost = true
		return
	}
	name := string(rune('0'+how)) + p.name
	if !p.seen[name] {
		p.seen[name] = true
		p.asked = append(p.asked, question{at: p.at, how: how})
	}
}

func (p place) get(key *ast.Term) {
	name, ok := key.Value.(ast.String)
	if ok && (len(p.at) > 0 || !slices.Contains(same, string(name))) {
		p.step(string(name), string(name)).ask(itself)
	}
}

func (p place) list() { p.ask(itsKeys) }

// hash notes nothing: no rule of this project looks for an object of the input in a set or
// among keys.
func (p place) hash() {}

func (p place) all() { p.ask(allOfIt) }
