package main

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// inherit moves from the denied findings to the inherited ones what the replaced
// object had already: an update is denied for what it makes worse, never for what
// it leaves as it was. What rules have to do with each other says their METADATA.
func (p *ruleset) inherit(ctx context.Context, d *decision, r *review, now time.Time) error {
	old, err := p.release(r.old, d.tier, r.Namespace)
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

// update is a request that replaces an object, and the verdict on that one.
type update struct {
	*review
	before rules.Verdict
	rule   func(id string) (rules.Rule, bool)
}

// had reports whether the replaced object had the fault of a finding already.
func (u *update) had(now rules.Finding) bool {
	return u.revealed(now) || slices.ContainsFunc(u.before.Findings, func(before rules.Finding) bool {
		return before.Severity == rules.Error && u.excuses(before, now)
	})
}

// excuses reports whether an old finding says that a new one is not new.
func (u *update) excuses(before, now rules.Finding) bool {
	was, _ := u.rule(before.Rule)
	switch {
	case was.Refuses && now.Category != before.Category:
		return true // no other category was heard
	case slices.Contains(was.Leaves, now.Rule):
		return true
	case u.hid(was, before, now):
		return true
	}
	return slices.Equal(before.Path, now.Path) &&
		(before.Rule == now.Rule && before.Degree >= now.Degree || slices.Contains(was.Nearer, now.Rule))
}

// hid reports whether a finding of the old object kept another one from being
// made of the same half.
func (u *update) hid(was rules.Rule, before, now rules.Finding) bool {
	return slices.Contains(was.Hides, now.Rule) && slices.Equal(section(before.Path), section(now.Path)) && u.unchanged(now.Path)
}

// section returns spec.install or spec.upgrade of a field below it.
func section(path release.Path) release.Path { return path[:min(2, len(path))] }

// revealed reports whether a finding was not made before because it is made only
// of releases that recover, and this one did not.
func (u *update) revealed(now rules.Finding) bool {
	rule, _ := u.rule(now.Rule)
	return rule.Accepted && u.before.Class == rules.ClassViolating && u.unchanged(now.Path)
}

// unchanged reports whether the update leaves a field as it was.
func (u *update) unchanged(path release.Path) bool {
	return reflect.DeepEqual(at(u.old, path), at(u.object, path))
}

// at returns what an object holds at a path; nil if nothing.
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
