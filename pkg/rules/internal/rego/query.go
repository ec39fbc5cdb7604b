package rego

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/rules/internal/places"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Query is what is asked of the policies: what a rule reports, or the class.
type Query struct {
	// Index is its number among all queries; 0 for the class.
	Index int
	// Name is the id of the rule; empty for the class.
	Name string
	// Parts are what it may read, as indexes into the places of all queries.
	Parts []int
	// Sections are the keys of the input that it may read.
	Sections []string
	// Whole is true if it reads the whole input: what it answers is not to be remembered.
	Whole bool

	body ast.Body
}

// answerVar is the variable of a query that holds the answer.
const answerVar = ast.Var("answer")

// Queries are all that the policies can be asked, with the places that they read.
type Queries struct {
	Class Query
	// Rules are in the order of the rules.
	Rules  []Query
	Places []places.Place
	// Whole is true if one of them reads the whole input.
	Whole bool
	// sections are the keys of an input.
	sections []string
}

// queriesOf returns the queries for a class and for rules that read some places.
func queriesOf(class ast.Ref, rules []Description, read reads, sections []string) Queries {
	out, known := Queries{sections: sections}, map[string]int{}
	out.Class = out.query("", class, read[""], known)
	for i, rule := range rules {
		query := out.query(rule.ID, reportOf(rule), read[rule.ID], known)
		query.Index = i + 1
		out.Rules = append(out.Rules, query)
	}
	return out
}

func (q *Queries) query(name string, ref ast.Ref, read []places.Place, known map[string]int) Query {
	out := Query{Name: name, body: ast.NewBody(ast.Equality.Expr(ast.NewTerm(ref), ast.NewTerm(answerVar)))}
	for _, at := range read {
		i, ok := known[at.String()]
		if !ok {
			i = len(q.Places)
			known[at.String()] = i
			q.Places = append(q.Places, at)
		}
		out.Parts = append(out.Parts, i)
		if len(at) == 0 || at[0] == nil {
			out.Whole = out.Whole || len(at) == 0
			q.Whole = q.Whole || out.Whole
			out.Sections = append(out.Sections, q.sections...)
		} else {
			out.Sections = append(out.Sections, at[0].(string))
		}
	}
	slices.Sort(out.Sections)
	out.Sections = slices.Compact(out.Sections)
	return out
}

// reportOf returns the reference to what a rule reports.
func reportOf(rule Description) ast.Ref {
	return ast.Ref{
		ast.DefaultRootDocument, ast.InternedTerm("remedy"), ast.InternedTerm("rules"),
		ast.StringTerm(rule.Category), ast.StringTerm(rule.ID), ast.InternedTerm("report"),
	}
}

// refsOf returns the references of all queries, by name.
func refsOf(class ast.Ref, rules []Description) map[string]ast.Ref {
	out := map[string]ast.Ref{"": class}
	for _, rule := range rules {
		out[rule.ID] = reportOf(rule)
	}
	return out
}
