package rego

import (
	"encoding/json"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Answer is what a query returned.
type Answer struct{ term *ast.Term }

// Undefined reports whether there is none.
func (a Answer) Undefined() bool { return a.term == nil }

// String returns the answer as Rego writes it.
func (a Answer) String() string { return a.term.String() }

// Text returns a text, and whether it is one.
func (a Answer) Text() (string, bool) {
	text, ok := a.term.Value.(ast.String)
	return string(text), ok
}

// Items returns what is in a set, a list or below the keys of an object, and whether it is one of these.
func (a Answer) Items() (items []Answer, ok bool) {
	add := func(term *ast.Term) { items = append(items, Answer{term}) }
	switch all := a.term.Value.(type) {
	case ast.Set:
		all.Foreach(add)
	case *ast.Array:
		all.Foreach(add)
	case ast.Object:
		all.Foreach(func(_, term *ast.Term) { add(term) })
	default:
		return nil, false
	}
	return items, true
}

// Decode reads the answer as encoding/json reads its JSON.
func (a Answer) Decode(into any) error {
	value, err := ast.JSON(a.term.Value)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}
