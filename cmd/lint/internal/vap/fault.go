package vap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// fault is one fault of a rule in a tier.
type fault struct {
	rules.CELFault
	rule     rules.Rule
	severity rules.Severity
	name     string // of its variable
}

// faults returns those of all rules that are asked at admission and report in a tier, and the
// rules of severity error that CEL cannot say.
func faults(engine *rules.Engine, tier release.Tier) (all []fault, unsaid []string) {
	for _, rule := range engine.Admission() {
		severity := engine.Severity(rule, tier)
		if !severity.AtLeast(rules.Warning) {
			continue
		}
		if len(rule.CEL) == 0 && severity == rules.Error {
			unsaid = append(unsaid, rule.ID)
		}
		for i, cel := range rule.CEL {
			name := strings.ReplaceAll(rule.ID, "-", "_")
			if i > 0 {
				name = fmt.Sprintf("%s_%d", name, i+1)
			}
			of := severity
			if engine.CountsFrom(rule, cel.Since) != "" {
				of = severity.AtMost(rules.Warning)
			}
			all = append(all, fault{CELFault: cel, rule: rule, severity: of, name: name})
		}
	}
	return all, unsaid
}

// variables are whether each object has the fault, and its degree. What cannot be read has none.
func (f fault) variables() []variable {
	of := func(expression string) string { return "variables.releases.map(r, " + expression + ")" }
	out := []variable{{f.name, of(typed(f.Fault))}}
	if f.Degree != "" {
		out = append(out, variable{f.name + "_degree", of(f.Degree)})
	}
	return out
}

// validation is what the API server evaluates for each request.
type validation struct {
	Expression string `yaml:"expression"`
	Message    string `yaml:"message"`
	// MessageExpression is the message where the field depends on what is written.
	MessageExpression string `yaml:"messageExpression,omitempty"`
	Reason            string `yaml:"reason"`
}

func (f fault) validation(all []fault, more string) validation {
	text := fmt.Sprintf(": %s [%s]. More: %s", f.rule.Title, f.rule.ID, more)
	out := validation{
		Expression: fmt.Sprintf("!variables.%s[0] || %s ||\n%s", f.name, f.waived(0), f.old(all)),
		Message:    f.At[0].String() + text,
		Reason:     "Forbidden",
	}
	if len(f.At) > 1 {
		out.MessageExpression = f.first(func(path release.Path) string { return quote(path.String()) }) + " + " + quote(text)
	}
	return out
}

// waived is whether the fault is accepted on an object: 0 is the new one, 1 the old one.
func (f fault) waived(object int) string {
	var any []string
	for _, id := range append([]string{f.rule.ID}, f.rule.Aliases...) {
		any = append(any, fmt.Sprintf("'%s' in variables.waived[%d]", id, object))
	}
	if len(any) == 1 {
		return "(" + any[0] + ")"
	}
	return "(" + strings.Join(any, " || ") + ")"
}

// needed are the faults that some validations ask for: those of their severity, and those
// that make them old.
func needed(all []fault, severity rules.Severity) []fault {
	return slices.DeleteFunc(slices.Clone(all), func(f fault) bool {
		return f.severity != severity && !slices.ContainsFunc(all, func(other fault) bool {
			_, ok := other.excused(f)
			return ok && other.severity == severity
		})
	})
}
