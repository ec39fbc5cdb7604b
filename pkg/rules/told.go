package rules

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// told asks all rules. An object that the API server refuses never reaches the controller, so
// only the rules of the category api report on it; and while a rule that is alone has a
// finding, only those and it do. Rules that may not report are not asked, but of a release
// with unknown fields: these say which rules are open.
func (q *inquiry) told() (out told, err error) {
	class, err := q.answer(&q.questions.class)
	if err != nil {
		return out, err
	}
	out.class, out.classOpen = class.class, class.open
	asked := q.Engine.asked(q.release)
	silent := silence{}
	for _, group := range []func(Rule) bool{isAPI, isAlone, isOther} {
		for _, question := range asked {
			if !group(question.rule) || len(q.release.Unknown) == 0 && silent.silences(question.rule, q.isNew(question.rule)) {
				continue
			}
			if _, err := q.answer(question); err != nil {
				return out, err
			}
		}
		for _, question := range asked {
			if group(question.rule) && !q.isNew(question.rule) {
				silent.add(question.rule, q.answers[question.name].report)
			}
		}
	}
	for _, question := range asked {
		a, ok := q.answers[question.name]
		switch severity := q.Severity(question.rule, q.release.Tier).raise(max(question.rule.Raise, 0)); {
		case !ok:
		case len(a.open) == 0 && !silent.silences(question.rule, q.isNew(question.rule)):
			out.report = append(out.report, a.report...)
		case len(a.open) > 0 && severity != Off && !q.isNew(question.rule):
			out.open = append(out.open, Open{question.rule.ID, severity, unknownAt(q.release, a.open)})
		}
	}
	return out, nil
}

// silence says which rules may not report.
type silence struct{ refused, alone bool }

// add notes what a rule reports. One that reports what is milder than the rule is on what may
// be right.
func (s *silence) add(rule Rule, all []report) {
	s.refused = s.refused || rule.Refuses && slices.ContainsFunc(all, func(r report) bool { return r.Raise >= 0 })
	s.alone = s.alone || rule.Alone && len(all) > 0
}

// silences reports whether a rule may not report, which may be held back.
func (s *silence) silences(rule Rule, held bool) bool {
	return !isAPI(rule) && (s.refused || s.alone && (held || !rule.Alone))
}

func isAPI(rule Rule) bool { return rule.Category == apiCategory }

func isAlone(rule Rule) bool { return !isAPI(rule) && rule.Alone }

func isOther(rule Rule) bool { return !isAPI(rule) && !rule.Alone }

// unknownAt returns some of the unknown fields of a release.
func unknownAt(r *release.Release, indexes []int) (out []release.Unknown) {
	for _, i := range indexes {
		out = append(out, r.Unknown[i])
	}
	return out
}
