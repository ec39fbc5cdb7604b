package rules

import (
	"iter"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"
)

// Admission lists the rules that are asked of an object that an API server has admitted to its
// schema. Those of the category api are not: that server has judged what they judge, by a
// schema that may be newer than what they know. Rules of a user are asked whatever their category.
func (e *Engine) Admission() []Rule { return slices.DeleteFunc(e.Rules(), e.judgesSchema) }

// judgesSchema reports whether a rule judges what an API server judges by its schema.
func (e *Engine) judgesSchema(rule Rule) bool {
	return rule.Category == apiCategory && rule.Origin.Source == 0
}

// asked lists the rules that are asked of a release, with what asks them.
func (e *Engine) asked(r *release.Release) iter.Seq2[*Rule, *rego.Query] {
	return func(yield func(*Rule, *rego.Query) bool) {
		for i := range e.rules {
			if (!r.Admitted || !e.judgesSchema(e.rules[i])) && !yield(&e.rules[i], &e.policies.Rules[i]) {
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
