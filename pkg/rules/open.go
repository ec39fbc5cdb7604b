package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/places"
	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"
)

// openOf returns that a rule is open because of some fields, if it is not off or held back.
func (e *Engine) openOf(rule *Rule, r *release.Release, fields []release.Unknown) []Open {
	if severity := e.Severity(*rule, r.Tier).raise(max(rule.Raise, 0)); severity != Off && !e.isNew(rule) {
		return []Open{{rule.ID, severity, fields}}
	}
	return nil
}

// mark is a part of the input that an unknown field decides.
type mark struct {
	field int // index into the unknown fields
	at    places.Place
	// names is true if the field decides which names there are besides its own.
	names bool
}

func (m mark) append(to []byte) []byte {
	return strconv.AppendBool(append(places.AppendText(to, m.at.String()), byte(m.field), byte(m.field>>8)), m.names)
}

// marksOf returns the parts of the input of a release that its unknown fields decide.
func (c *compiled) marksOf(r *release.Release) (out []mark, err error) {
	api, err := c.apiOf(r)
	for i, u := range r.Unknown {
		add := func(at ...any) { out = append(out, mark{field: i, at: at}) }
		if !u.Written {
			out = append(out, fieldMarks(i, u)...)
			if !u.Text {
				add("typed")
			}
			switch {
			case !u.Open():
			case !u.Text:
				add("invalid")
			case limited(api, u.Path):
				add("invalid", nameOf(u.Path))
			}
		}
		_, chart := release.Chart(r.Object)
		named := touches(u.Path, release.ChartInSource) || touches(u.Path, release.ChartInURL)
		if r.Old != nil && named {
			add("moves", "chart")
		}
		settings := u.Settings()
		if u.Before {
			for _, at := range settings {
				add(append([]any{"before"}, at...)...)
				add(append([]any{"moves"}, at[:min(len(at), 1)]...)...)
			}
			continue
		}
		if r.Settings == nil { // maybe because of it
			settings = []release.Path{{}}
		}
		for _, at := range settings {
			add(append([]any{"effective"}, at...)...)
			add(append([]any{"flipped"}, at...)...)
			if r.Old != nil {
				add(append([]any{"moves"}, at[:min(len(at), 1)]...)...)
			}
		}
		for n, o := range r.Overridden {
			if touches(u.Path, o.Path) {
				add("overrides", n, "effective")
			}
		}
		if named || touches(u.Path, chart) {
			add("stateful")
		}
	}
	return out, err
}

// fieldMarks returns the parts of the input in which the value of an unknown field is, or
// whether it is there.
func fieldMarks(i int, u release.Unknown) []mark {
	out := []mark{{field: i, at: append(places.Place{"object"}, u.Path...)}}
	if len(u.Path) == 0 || u.Path[0] != "spec" {
		return out
	}
	for n := 1; n <= len(u.Path); n++ {
		out = append(out, mark{field: i, at: append(places.Place{"fields", nameOf(u.Path[:n]), nil, "value"}, u.Path[n:]...)})
	}
	name := nameOf(u.Path)
	section, rest, _ := strings.Cut(name, ".")
	holds := !u.Text && release.MayHold(u.Path)
	return append(out,
		mark{field: i, at: places.Place{"fields", name}},
		mark{field: i, at: places.Place{"places", name}, names: holds},
		mark{field: i, at: places.Place{"written", section, rest}, names: holds},
	)
}

// limited reports whether the API says more of a field than its type.
func limited(api release.SchemaVersion, at release.Path) bool {
	if len(at) == 0 || at[0] != "spec" {
		return false
	}
	_, ok := api.Limited[nameOf(at)]
	return ok
}

// nameOf returns the name of a field of spec.
func nameOf(path release.Path) (name string) {
	for _, step := range path[1:] {
		if key, ok := step.(string); ok {
			name = joined(name, stepName(key))
		} else {
			name = joined(name, "*")
		}
	}
	return name
}

// in reports whether what is read at a place depends on the mark. Which names there are is
// known, but for those in what may hold others: a field without a known value is written.
func (m mark) in(read places.Place) bool {
	if len(read) == 0 || read[0] != "places" && read[0] != "written" || len(read) >= len(m.at) && read[len(m.at)-1] != nil {
		return m.mayBeIn(read)
	}
	isSection := len(m.at) == 3 && len(read) == 2 && m.at[2] == "" // of written
	return (m.names || isSection) && m.at[:len(m.at)-1].Meets(read)
}

// mayBeIn reports whether what a rule reads at a place or below may depend on the mark.
func (m mark) mayBeIn(read places.Place) bool {
	last := len(m.at) - 1
	if !m.names || len(read) <= last || !m.at[:last].Meets(read) {
		return m.at.Meets(read)
	}
	name, known := read[last].(string)
	above := m.at[last].(string)
	return !known || name == above || above == "" || strings.HasPrefix(name, above+".")
}

// touching returns the marks in what a query may read.
func (q *inquiry) touching(query *rego.Query) (out []mark) {
	for _, m := range q.marks {
		if slices.ContainsFunc(query.Parts, func(i int) bool { return m.mayBeIn(q.policies.Places[i]) }) {
			out = append(out, m)
		}
	}
	return out
}

// unknownIn evaluates a query for the unknown fields that it reads: with other values it may have
// another answer, but only if it reads them. Those of a query that fails may be any. To a rule of
// a user it may matter which names there are.
func (q *inquiry) unknownIn(query *rego.Query, touching []mark) (out []int) {
	read, err := q.Reads(query)
	own := query.Index > 0 && q.rules[query.Index-1].Origin.Source > 0
	for _, m := range touching {
		reads := err != nil
		for _, at := range read {
			reads = reads || m.in(at) || own && m.mayBeIn(at)
		}
		if reads {
			out = append(out, m.field)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
