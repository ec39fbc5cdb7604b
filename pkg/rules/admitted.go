package rules

import (
	"iter"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Admission lists the rules that are asked of an object that an API server has admitted to its
// schema. Those of the category api are not: that server has judged what they judge, by a
// schema that may be newer than what they know. Rules of a user are asked whatever their category.
func (e *Engine) Admission() []Rule { return slices.DeleteFunc(e.Rules(), e.judgesSchema) }

// judgesSchema reports whether a rule judges what an API server judges by its schema.
func (e *Engine) judgesSchema(rule Rule) bool {
	return rule.Category == apiCategory && !e.added[rule.ID]
}

// asked lists the rules that are asked of a release.
func (e *Engine) asked(r *release.Release) iter.Seq[*question] {
	return func(yield func(*question) bool) {
		for i := range e.questions.rules {
			q := &e.questions.rules[i]
			if (!r.Admitted || !e.judgesSchema(q.rule)) && !yield(q) {
				return
			}
		}
	}
}

// openFor returns the ids of the rules that are not asked of a release.
func (e *Engine) openFor(r *release.Release) (ids []string) {
	for _, rule := range e.rules {
		if r.Admitted && e.judgesSchema(rule) {
			ids = append(ids, rule.ID)
		}
	}
	return ids
}
