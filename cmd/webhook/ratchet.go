package main

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// ratchet moves from the denied findings to the inherited ones what the
// replaced object had already: an update is denied for what it makes worse,
// never for what it leaves as it was.
func (p *policy) ratchet(ctx context.Context, d *decision, r *review, now time.Time) error {
	old, err := p.release(r.old, d.tier, r.Namespace)
	if err != nil {
		return err
	}
	verdict, err := p.engine.Evaluate(ctx, old, now)
	if err != nil {
		return err
	}
	u := &update{review: r, before: verdict}
	u.before.Findings = slices.DeleteFunc(verdict.Findings, func(f rules.Finding) bool { return f.Severity != rules.Error })
	d.denied = slices.DeleteFunc(d.denied, func(f rules.Finding) bool {
		had := u.had(f)
		if had {
			d.inherited = append(d.inherited, f)
		}
		return had
	})
	return nil
}

// update is what an update does to the verdict.
type update struct {
	*review
	before rules.Verdict // its findings are those of severity error
}

// had tells whether the replaced object had a finding of the new one already.
func (u *update) had(now rules.Finding) bool {
	return u.revealed(now) || slices.ContainsFunc(u.before.Findings, func(before rules.Finding) bool {
		return same(before, now) || slices.Contains(remains[before.Rule], now.Rule) || u.hid(before, now)
	})
}

// same tells whether a finding is the old one, at the same field and not worse.
func same(before, now rules.Finding) bool {
	if !slices.Equal(before.Path, now.Path) {
		return false
	}
	return before.Rule == now.Rule && before.Degree >= now.Degree || slices.Contains(nearer[before.Rule], now.Rule)
}

// nearer lists what may be said of a number that has come nearer to its limit.
var nearer = map[string][]string{
	"unbounded-remediation": {"too-many-retries", "slow-recovery"},
	"too-many-retries":      {"slow-recovery"},
}

// remains lists what the repair of a part may leave of a finding. Each of them
// recovers from more than what it is left of.
var remains = map[string][]string{
	// Its field depends on what is written beside it.
	"no-recovery": {
		"no-recovery", "install-not-recovered", "upgrade-not-recovered",
		"mixed-strategies", "retry-then-rollback", "rollback-without-retry", "last-failure-left",
	},
	"install-not-recovered": {"mixed-strategies", "retry-then-rollback"},
	"upgrade-not-recovered": {"mixed-strategies", "retry-then-rollback", "rollback-without-retry", "last-failure-left"},
}

// hidden lists what is said of a half only once another finding is repaired.
var hidden = map[string][]string{
	"uninstall-on-upgrade-failure": {
		"too-many-retries", "unbounded-remediation", "last-failure-left", "rollback-without-retry", "retry-then-rollback",
	},
	"unbounded-remediation": {"last-failure-left"},
}

// hid tells whether a finding of the old object kept another one from being
// said of the same half, or of the object at all.
func (u *update) hid(before, now rules.Finding) bool {
	switch before.Rule {
	case "invalid-value", "removed-api": // beside them only the category api speaks
		return now.Category != "api"
	}
	return slices.Contains(hidden[before.Rule], now.Rule) && slices.Equal(section(before.Path), section(now.Path)) && u.unchanged(now.Path)
}

// section gives spec.install or spec.upgrade of a field below it.
func section(path release.Path) release.Path { return path[:min(2, len(path))] }

// revealed tells whether a finding was not made before because it is made only
// of releases that recover, and this one did not.
func (u *update) revealed(now rules.Finding) bool {
	return (now.Rule == "blind-rollback" || now.Rule == "gate-dependent") &&
		u.before.Class == rules.ClassViolating && u.unchanged(now.Path)
}

// unchanged tells whether the update leaves a field as it was.
func (u *update) unchanged(path release.Path) bool {
	return reflect.DeepEqual(at(u.old, path), at(u.object, path))
}

// at gives what an object holds at a path; nil if nothing.
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
