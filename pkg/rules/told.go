package rules

import (
	"context"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// tell says what the policies say of a release. What they said of one that is set alike is not asked again.
func (e *Engine) tell(ctx context.Context, r *release.Release) (out told, err error) {
	q, err := e.inquire(r)
	if err != nil {
		return out, err
	}
	defer q.end()
	key := q.key()
	if out, known := e.together.Recall(key); known {
		return out, nil
	}
	if err := q.begin(ctx); err != nil {
		return out, err
	}
	if out, err = q.told(); err == nil && !q.policies.Whole {
		e.together.Remember(key, out)
	}
	return out, err
}

// told asks all rules. An object that the API server refuses never reaches the controller, so
// only the rules of the category api report on it; and while a rule that is alone has a
// finding, only those and it do. Rules that may not report are not asked, but of a release
// with unknown fields: these say which rules are open.
func (q *inquiry) told() (out told, err error) {
	class, err := q.answer(&q.policies.Class)
	if err != nil {
		return out, err
	}
	out.class, out.classOpen = class.class, class.open
	asked := q.Engine.asked(q.release)
	silent := silence{}
	for _, group := range []func(*Rule) bool{isAPI, isAlone, isOther} {
		before := silent // rules of a group do not silence each other
		for rule, query := range asked {
			if !group(rule) || len(q.release.Unknown) == 0 && before.silences(rule, q.isNew(rule)) {
				continue
			}
			a, err := q.answer(query)
			if err != nil {
				return out, err
			}
			if len(a.report) > 0 && !q.isNew(rule) {
				silent.add(rule, a.report)
			}
		}
	}
	for rule, query := range asked {
		switch a := q.answers[query.Index]; {
		case len(a.report) > 0 && !silent.silences(rule, q.isNew(rule)):
			out.report = append(out.report, a.report...)
		case len(a.open) > 0:
			out.open = append(out.open, openRule{rule, a.open})
		}
	}
	return out, nil
}

// silence says which rules may not report.
type silence struct{ refused, alone bool }

// add notes what a rule reports. One that reports what is milder than the rule is on what may
// be right.
func (s *silence) add(rule *Rule, all []report) {
	s.refused = s.refused || rule.Refuses && slices.ContainsFunc(all, func(r report) bool { return r.Raise >= 0 })
	s.alone = s.alone || rule.Alone && len(all) > 0
}

// silences reports whether a rule may not report, which may be held back.
func (s *silence) silences(rule *Rule, held bool) bool {
	return !isAPI(rule) && (s.refused || s.alone && (held || !rule.Alone))
}

func isAPI(rule *Rule) bool { return rule.Category == apiCategory }

func isAlone(rule *Rule) bool { return !isAPI(rule) && rule.Alone }

func isOther(rule *Rule) bool { return !isAPI(rule) && !rule.Alone }

// unknownAt returns some of the unknown fields of a release.
func unknownAt(r *release.Release, indexes []int) (out []release.Unknown) {
	for _, i := range indexes {
		out = append(out, r.Unknown[i])
	}
	return out
}
