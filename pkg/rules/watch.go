package rules

import "github.com/open-policy-agent/opa/v1/ast"

// observer is told what an evaluation asks of an object of the input.
type observer interface {
	// get is told of a key that the object is asked for.
	get(key *ast.Term)
	// list is told that its keys matter.
	list()
	// hash is told that it may be looked for as a whole.
	hash()
	// all is told that everything in it may matter.
	all()
}

// watched is an object of the input whose observer learns what is asked of it: by its
// keys or as a whole. That it is an object may be asked unobserved.
//
// It embeds the object that it watches, because OPA asks for methods that only OPA has.
type watched struct {
	ast.Object
	observer
	number int
}

// Hash implements [ast.Value]. OPA asks for it to remember what it has evaluated, and then
// equal objects have different hashes, so that it does not compare them. It also asks to
// find an object in a set or among keys, where it may compare it without asking it.
func (w *watched) Hash() int {
	w.hash()
	return w.Object.Hash() + w.number
}

// Get implements [ast.Object].
func (w *watched) Get(key *ast.Term) *ast.Term {
	w.get(key)
	return w.Object.Get(key)
}

// Find implements [ast.Value].
func (w *watched) Find(path ast.Ref) (ast.Value, error) {
	if len(path) == 0 {
		return w, nil
	}
	term := w.Get(path[0])
	if term == nil {
		return w.Object.Find(path[:1])
	}
	return term.Value.Find(path[1:])
}

// whole returns the object for a use that may read all of it.
func (w *watched) whole() ast.Object {
	w.all()
	return w.Object
}

// keys returns the object for a use of its keys.
func (w *watched) keys() ast.Object {
	w.list()
	return w.Object
}

// Compare implements [ast.Value]. That it is an object is known.
func (w *watched) Compare(other ast.Value) int {
	switch o := other.(type) {
	case *watched:
		if o == w {
			return 0
		}
		return w.whole().Compare(o.whole())
	case ast.Object:
		return w.whole().Compare(o)
	}
	return ast.Compare(ast.NewObject(), other)
}

// Iter and all below implement [ast.Object].
func (w *watched) Iter(f func(*ast.Term, *ast.Term) error) error { return w.whole().Iter(f) }

func (w *watched) Until(f func(*ast.Term, *ast.Term) bool) bool { return w.whole().Until(f) }

func (w *watched) Foreach(f func(*ast.Term, *ast.Term)) { w.whole().Foreach(f) }

func (w *watched) Keys() []*ast.Term { return w.keys().Keys() }

func (w *watched) KeysIterator() ast.ObjectKeysIterator { return w.keys().KeysIterator() }

func (w *watched) Len() int { return w.keys().Len() }

func (w *watched) String() string { return w.whole().String() }

func (w *watched) Copy() ast.Object { return w.whole().Copy() }

func (w *watched) Diff(other ast.Object) ast.Object { return w.whole().Diff(other) }

func (w *watched) Intersect(other ast.Object) [][3]*ast.Term { return w.whole().Intersect(other) }

func (w *watched) Merge(other ast.Object) (ast.Object, bool) { return w.whole().Merge(other) }

func (w *watched) Filter(filter ast.Object) (ast.Object, error) { return w.whole().Filter(filter) }

func (w *watched) MergeWith(other ast.Object, resolve func(v1, v2 *ast.Term) (*ast.Term, bool)) (ast.Object, bool) {
	return w.whole().MergeWith(other, resolve)
}

func (w *watched) Map(f func(*ast.Term, *ast.Term) (*ast.Term, *ast.Term, error)) (ast.Object, error) {
	return w.whole().Map(f)
}
