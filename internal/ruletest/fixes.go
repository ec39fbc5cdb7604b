package ruletest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// rounds is after how many fixes none may be left.
const rounds = 5

// fixes checks that fixes come to an end: on the examples that the rule reports with a
// fix, its own and those of the built-in rules, the fixes of all rules are made one after
// the other until none is left.
func (t *tested) fixes() ([]Fault, error) {
	all := t.beside
	bad, err := t.example(badFile)
	if err != nil {
		return nil, err
	}
	if bad != nil {
		all = append([]*example{bad}, all...)
	}
	for _, e := range all {
		if !slices.ContainsFunc(e.verdict.Findings, func(f rules.Finding) bool { return f.Rule == t.rule.ID && f.Fix != nil }) {
			continue
		}
		left, err := Settle(t.ctx, e.engine, e.release)
		if err != nil {
			return nil, err
		}
		if left != nil {
			where := "bad.yaml"
			if e.rule != t.rule.ID {
				where = fmt.Sprintf("%s of %s", e.file, e.rule)
			}
			return []Fault{{t.source.at(t.rule.Origin.File), t.reportLine, fmt.Sprintf(
				"the fixes of %s do not settle: after %d of them %s still offers one at %s (%s)", where, rounds, left.Rule, left.Path, left.Message)}}, nil
		}
	}
	return nil, nil
}

// Settle makes the fixes that rules offer for a release, one after the other. It changes
// the release, and returns a finding that still offers one at the end; nil if none does.
func Settle(ctx context.Context, engine *rules.Engine, hr *release.Release) (*rules.Finding, error) {
	for round := 0; ; round++ {
		verdict, err := engine.Evaluate(ctx, hr, time.Unix(0, 0))
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(verdict.Findings, func(f rules.Finding) bool { return f.Fix != nil && f.Fix.OfRelease() })
		if i < 0 {
			return nil, nil
		}
		if round == rounds {
			return &verdict.Findings[i], nil
		}
		object := hr.Object
		for _, edit := range verdict.Findings[i].Fix.Set {
			if object, err = edited(object, edit); err != nil {
				return nil, fmt.Errorf("rule %s: fix: %w", verdict.Findings[i].Rule, err)
			}
		}
		fixed, err := release.Decode(object, hr.Controller)
		if err != nil {
			return nil, fmt.Errorf("rule %s: fix: %w", verdict.Findings[i].Rule, err)
		}
		fixed.Tier, fixed.Old, fixed.Alerting, fixed.Above = hr.Tier, hr.Old, hr.Alerting, hr.Above
		*hr = *fixed
	}
}

// edited returns a copy of an object with one field set, or removed if the value is nil.
func edited(object map[string]any, edit rules.Edit) (map[string]any, error) {
	out, err := with(object, edit.Path, edit.Value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", edit.Path, err)
	}
	return out.(map[string]any), nil
}

func with(in any, at release.Path, value any) (any, error) {
	if len(at) == 0 {
		return value, nil
	}
	switch step := at[0].(type) {
	case string:
		object, ok := in.(map[string]any)
		if !ok && in != nil {
			return nil, fmt.Errorf("%q is in no object", step)
		}
		if object = maps.Clone(object); object == nil {
			object = map[string]any{}
		}
		if len(at) == 1 && value == nil {
			delete(object, step)
			return object, nil
		}
		below, err := with(object[step], at[1:], value)
		object[step] = below
		return object, err
	case int:
		list, _ := in.([]any)
		if step >= len(list) {
			return nil, fmt.Errorf("there is no item %d", step)
		}
		list = slices.Clone(list)
		below, err := with(list[step], at[1:], value)
		list[step] = below
		return list, err
	}
	return nil, fmt.Errorf("%v is neither a key nor an index", at[0])
}
