package main

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// inherit moves findings from denied to inherited if the replaced object had the same
// fault: an update is denied for what it makes worse, never for what it leaves as it
// was. Which faults are the same follows from the relations in the rules' METADATA.
func (p *ruleset) inherit(ctx context.Context, d *decision, r *review, now time.Time) error {
	old, err := p.release(r.Old, d.tier, r.Namespace)
	if err != nil {
		return err
	}
	before, err := p.engine.Evaluate(ctx, old, now)
	if err != nil {
		return err
	}
	u := &update{review: r, before: before, rule: p.engine.Rule}
	d.denied = slices.DeleteFunc(d.denied, func(f rules.Finding) bool {
		had := u.had(f)
		if had {
			d.inherited = append(d.inherited, f)
		}
		return had
	})
	return nil
}

// update is a request that replaces an object, with the verdict on the replaced one.
type update struct {
	*review
	before rules.Verdict
	rule   func(id string) (rules.Rule, bool)
}

// had reports whether the replaced object already had the fault of a finding.
func (u *update) had(now rules.Finding) bool {
	return u.revealed(now) || slices.ContainsFunc(u.before.Findings, func(before rules.Finding) bool {
		return before.Severity == rules.Error && u.excuses(before, now)
	})
}

// excuses reports whether a finding on the replaced object means that the fault of a
// finding on the new one is not new.
func (u *update) excuses(before, now rules.Finding) bool {
	was, _ := u.rule(before.Rule)
	switch {
	case was.Refuses && now.Category != before.Category:
		return true // other categories were not evaluated
	case slices.Contains(was.Leaves, now.Rule):
		return true
	case u.hid(was, before, now):
		return true
	}
	return slices.Equal(before.Path, now.Path) &&
		(before.Rule == now.Rule && before.Degree >= now.Degree || slices.Contains(was.Nearer, now.Rule))
}

// hid reports whether an old finding kept a new one on the same half from being
// reported before, and the field of the new one did not change.
func (u *update) hid(was rules.Rule, before, now rules.Finding) bool {
	return slices.Contains(was.Hides, now.Rule) && slices.Equal(section(before.Path), section(now.Path)) && u.unchanged(now.Path)
}

// section returns the first two steps of a path, such as spec.install.
func section(path release.Path) release.Path { return path[:min(2, len(path))] }

// revealed reports whether a finding is new only because its rule reports on accepted
// classes alone, and the old object was not of one.
func (u *update) revealed(now rules.Finding) bool {
	rule, _ := u.rule(now.Rule)
	return rule.Accepted && u.before.Class == rules.ClassViolating && u.unchanged(now.Path)
}

// unchanged reports whether the update leaves a field as it was.
func (u *update) unchanged(path release.Path) bool {
	return reflect.DeepEqual(at(u.Old, path), at(u.Object, path))
}

// at returns the value at a path of an object; nil if there is none.
func at(value any, path release.Path) any {
	for _, step := range path {
		switch key := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			value = object[key]
		case int:
			list, _ := value.([]any)
			if key >= len(list) {
				return nil
			}
			value = list[key]
		}
	}
	return value
}
