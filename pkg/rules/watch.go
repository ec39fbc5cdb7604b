package rules

import "github.com/open-policy-agent/opa/v1/ast"

// marks are the unknown fields at and below a place of the input.
type marks struct {
	own   []int          // indexes into the unknown fields
	below map[any]*marks // by key or index
}

// add marks the place that is reached by some steps.
func (m *marks) add(path []any, field int) {
	if len(path) == 0 {
		m.own = append(m.own, field)
		return
	}
	if m.below == nil {
		m.below = map[any]*marks{}
	}
	next := m.below[path[0]]
	if next == nil {
		next = &marks{}
		m.below[path[0]] = next
	}
	next.add(path[1:], field)
}

// reads notes which unknown fields the evaluation of a rule reads.
type reads struct {
	fields  map[int]bool
	watched int // objects
}

func (r *reads) note(m *marks) {
	for _, field := range m.own {
		r.fields[field] = true
	}
}

func (r *reads) noteAll(m *marks) {
	r.note(m)
	for _, below := range m.below {
		r.noteAll(below)
	}
}

// watched is an object of the input of a release with unknown fields. It notes which of them are read: one that
// is asked for by its key, or all if the object is looked at as a whole. That it is there
// is known.
//
// It embeds the object that it watches, because OPA asks for methods that only OPA has.
type watched struct {
	ast.Object
	marks  *marks
	reads  *reads
	number int
	listed bool // its keys are known, whatever the values are
}

// watch returns a term in which every object is watched: one without unknown fields may
// be compared with one that has some.
func watch(term *ast.Term, m *marks, r *reads) *ast.Term {
	if m == nil {
		m = &marks{}
	}
	switch v := term.Value.(type) {
	case *watched:
		return term
	case ast.Object:
		pairs := make([][2]*ast.Term, 0, v.Len())
		v.Foreach(func(key, value *ast.Term) {
			pairs = append(pairs, ast.Item(key, watch(value, m.under(key), r)))
		})
		r.watched++
		return ast.NewTerm(&watched{Object: ast.NewObject(pairs...), marks: m, reads: r, number: r.watched})
	case *ast.Array:
		items := make([]*ast.Term, v.Len())
		for i := range items {
			items[i] = watch(v.Elem(i), m.below[i], r)
		}
		return ast.ArrayTerm(items...)
	}
	return term
}

// under returns the marks at a key; nil if there are none.
func (m *marks) under(key *ast.Term) *marks {
	name, _ := key.Value.(ast.String)
	return m.below[string(name)]
}

// items moves the marks of items that are no objects to the list that holds them: a list
// cannot be watched.
func (m *marks) items() {
	for step, below := range m.below {
		below.items()
		if _, item := step.(int); item && len(below.own) > 0 {
			m.own = append(m.own, below.own...)
		}
	}
}

// Hash implements [ast.Value]. It reads nothing, because OPA asks for it to remember what
// it has evaluated. Equal objects have different hashes, so that it does not compare them.
func (w *watched) Hash() int { return w.Object.Hash() + w.number }

// Get implements [ast.Object].
func (w *watched) Get(key *ast.Term) *ast.Term {
	if m := w.marks.under(key); m != nil {
		w.reads.note(m)
	}
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
	w.reads.noteAll(w.marks)
	return w.Object
}

// keys returns the object for a use of its keys. Which fields have an unknown value at
// all may depend on it: without one, a field is as if it was not written.
func (w *watched) keys() ast.Object {
	if w.listed {
		return w.Object
	}
	return w.whole()
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
