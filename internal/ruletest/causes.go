package ruletest

import (
	"errors"
	"fmt"

	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// causes checks that one cause has one finding: the rule reports a field once, and none
// that another rule reports on the same release. The releases are its own examples and
// those of the built-in rules.
func (t *tested) causes() ([]Fault, error) {
	all := t.beside
	for _, name := range []string{badFile, goodFile} {
		own, err := t.example(name)
		if err != nil {
			return nil, err
		}
		if own != nil {
			all = append([]*example{own}, all...)
		}
	}
	var faults []Fault
	said := map[string]bool{}
	for _, e := range all {
		for _, message := range t.twice(e) {
			if !said[message] {
				said[message] = true
				faults = append(faults, Fault{File: t.source.at(t.rule.Origin.File), Line: t.reportLine, Message: message})
			}
		}
	}
	return faults, nil
}

// twice says which fields of an example have a finding of the rule and another one.
func (t *tested) twice(e *example) (messages []string) {
	where := e.file
	if e.rule != t.rule.ID {
		where = fmt.Sprintf("%s of %s", e.file, e.rule)
	}
	if e.err != nil {
		return t.failure(e.err, where)
	}
	for i, f := range e.verdict.Findings {
		if f.Rule != t.rule.ID {
			continue
		}
		for j, other := range e.verdict.Findings {
			switch {
			case j == i || !sameField(f, other):
			case other.Rule == t.rule.ID && j > i:
				messages = append(messages, fmt.Sprintf("two findings for one cause: in %s both are at %s: %q and %q", where, f.Path, f.Message, other.Message))
			case other.Rule != t.rule.ID && e.rule != t.rule.ID && !t.opts.tolerates(other):
				messages = append(messages, fmt.Sprintf("two findings for one cause: in %s %s reports %s too: both rules report this field: narrow yours, or pass --skip causes", where, other.Rule, f.Path))
			}
		}
	}
	return messages
}

// failure says that a release cannot be judged, if the rule may be why.
func (t *tested) failure(err error, where string) []string {
	var at *topdown.Error
	if errors.As(err, &at) && rules.OriginOf(at.Location).File != t.rule.Origin.File {
		return nil
	}
	return []string{fmt.Sprintf("%s cannot be judged: %v", where, err)}
}

func sameField(a, b rules.Finding) bool {
	return a.Object == b.Object && a.Path.String() == b.Path.String()
}
