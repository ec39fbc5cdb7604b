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
	own     bool // the rule is one of a user
	watched int  // objects
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

// marked observes an object of the input of a release with unknown fields. It notes which
// of them are read. That the object is there is known.
type marked struct {
	marks  *marks
	reads  *reads
	listed bool // its keys are known, but for what its own marks may hold
}

func (m *marked) get(key *ast.Term) {
	if below := m.marks.under(key); below != nil {
		m.reads.note(below)
	}
}

// list notes all: which fields have an unknown value at all may depend on it. Without one,
// a field is as if it was not written. Where the keys are known but for those in what is
// unknown itself, it notes that.
func (m *marked) list() {
	if !m.listed || m.reads.own {
		m.all()
		return
	}
	m.reads.note(m.marks)
}

// hash notes all for a rule of a user. No other one looks for an object of the input in a
// set or among keys.
func (m *marked) hash() {
	if m.reads.own {
		m.all()
	}
}

func (m *marked) all() { m.reads.noteAll(m.marks) }

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
		return ast.NewTerm(&watched{ast.NewObject(pairs...), &marked{marks: m, reads: r}, r.watched})
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
