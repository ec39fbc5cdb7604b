package rules

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// question is what the engine asks of the policies: what a rule reports, or the class.
type question struct {
	index int    // among all questions; 0 for the class
	name  string // id of the rule; empty for the class
	rule  Rule
	query ast.Body
	parts []int // what it reads, as indexes into places
	// whole is true if it reads the whole input: what it answers is not remembered.
	whole bool
	// sections are the keys of the input that it reads.
	sections []string
}

// answerVar is the variable of a query that holds the answer.
const answerVar = ast.Var("answer")

// questions are all that the policies are asked, with the places that they read.
type questions struct {
	class  question
	rules  []question // in the order of the rules
	places []place
	whole  bool // one of them reads the whole input
}

// questionsOf returns the questions for a class and for rules that read some places.
func questionsOf(class ast.Ref, rules []Rule, read reads) questions {
	out, known := questions{}, map[string]int{}
	out.class = out.question("", class, read[""], known)
	for _, rule := range rules {
		q := out.question(rule.ID, reportOf(rule), read[rule.ID], known)
		q.rule, q.index = rule, len(out.rules)+1
		out.rules = append(out.rules, q)
	}
	return out
}

func (q *questions) question(name string, ref ast.Ref, read []place, known map[string]int) question {
	out := question{name: name, query: ast.NewBody(ast.Equality.Expr(ast.NewTerm(ref), ast.NewTerm(answerVar)))}
	for _, at := range read {
		i, ok := known[at.String()]
		if !ok {
			i = len(q.places)
			known[at.String()] = i
			q.places = append(q.places, at)
		}
		out.parts = append(out.parts, i)
		if len(at) == 0 || at[0] == nil {
			out.whole = out.whole || len(at) == 0
			q.whole = q.whole || out.whole
			out.sections = append(out.sections, sectionNames...)
		} else {
			out.sections = append(out.sections, at[0].(string))
		}
	}
	slices.Sort(out.sections)
	out.sections = slices.Compact(out.sections)
	return out
}

// sectionNames are the keys of an input.
var sectionNames = func() (names []string) {
	for _, field := range fieldsOfType(inputType).list {
		names = append(names, field.name)
	}
	return names
}()

// reportOf returns the reference to what a rule reports.
func reportOf(rule Rule) ast.Ref {
	return ast.Ref{
		ast.DefaultRootDocument, ast.InternedTerm("remedy"), ast.InternedTerm("rules"),
		ast.StringTerm(rule.Category), ast.StringTerm(rule.ID), ast.InternedTerm("report"),
	}
}

// refsOf returns the references of all questions, by name.
func refsOf(class ast.Ref, rules []Rule) map[string]ast.Ref {
	out := map[string]ast.Ref{"": class}
	for _, rule := range rules {
		out[rule.ID] = reportOf(rule)
	}
	return out
}

// question returns the question for a rule.
func (c *compiled) question(rule Rule) *question {
	at := slices.IndexFunc(c.questions.rules, func(q question) bool { return q.name == rule.ID })
	return &c.questions.rules[at]
}
