package admission

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// An update is denied for what it makes worse, never for what it leaves as it was: or else nobody
// could change the version of a chart without repairing all that was wrong before. So each fault of
// the new object is asked whether it is old. There are three ways in which it can be:
//
//  1. The same rule reported the same field before, and no less. That is all that counts then:
//     what was reported and has got worse is new.
//  2. Nobody reported it, because something worse was reported in its place. That is a relation
//     between rules, and METADATA says it: an old fault hid this one, or left it behind when it was
//     repaired in part, or this rule reports only on releases that recover at all, and the old one
//     did not. A fault that was waived stands for nothing: what is accepted for a time is not
//     accepted for ever.
//  3. Nobody reported it and METADATA does not know why. Then the update must be innocent of it as
//     far as can be shown: the release recovered from nothing before, the field is as it was, the
//     fault is one of the object and not of the change, and no failure ends worse than before.
//     The first is needed because what was accepted must stay so, whatever the forecast says.

// inherit moves the findings that are old from denied to inherited.
func (c *hearing) inherit(ctx context.Context, d *Decision) error {
	u, err := c.update(ctx, d.release)
	if err != nil {
		return err
	}
	d.lapsed = u.before.covered
	var made []rules.Finding
	for _, f := range d.Denied {
		old, err := u.had(f)
		switch {
		case err != nil:
			return err
		case old:
			d.Inherited = append(d.Inherited, f)
		default:
			made = append(made, f)
		}
	}
	d.Denied = made
	return nil
}

// update is a request that replaces an object.
type update struct {
	*Review
	before *replaced
	rule   func(id string) (rules.Rule, bool)
	// worse reports whether some failure ends worse than before.
	worse func() bool
	// alone judges the new object as if it were created.
	alone func() (rules.Verdict, error)
}

func (c *hearing) update(ctx context.Context, to *release.Release) (*update, error) {
	before, err := c.before()
	if err != nil {
		return nil, err
	}
	return &update{
		Review: c.Review, before: before, rule: c.Engine.Rule,
		worse: sync.OnceValue(func() bool { return worse(before.release, to) }),
		alone: sync.OnceValues(func() (rules.Verdict, error) {
			created := *to
			created.Old = nil
			return c.Engine.Evaluate(ctx, &created, c.now)
		}),
	}, nil
}

// had reports whether the replaced object had a fault of the new one.
func (u *update) had(f rules.Finding) (bool, error) {
	if before := same(u.before.Findings, f); len(before) > 0 {
		return slices.ContainsFunc(before, func(b rules.Finding) bool {
			return u.counts(b) && b.Severity.AtLeast(f.Severity) && b.Degree >= f.Degree
		}), nil
	}
	if u.implied(f) {
		return true, nil
	}
	if u.before.Class != rules.ClassViolating || !u.kept(f.Path) || u.worse() {
		return false, nil
	}
	alone, err := u.alone()
	return len(same(alone.Findings, f)) > 0, err
}

// implied reports whether METADATA says that an old fault stands for this one.
func (u *update) implied(f rules.Finding) bool {
	unchanged := u.unchanged(f.Path)
	if rule, _ := u.rule(f.Rule); rule.Accepted && u.before.Class == rules.ClassViolating && unchanged {
		return true
	}
	return slices.ContainsFunc(u.before.Findings, func(b rules.Finding) bool {
		was, _ := u.rule(b.Rule)
		return b.Severity == rules.Error && u.counts(b) && was.Covers(b.Path, f.Rule, f.Path, unchanged)
	})
}

// counts reports whether a finding on the replaced object was not waived.
func (u *update) counts(before rules.Finding) bool {
	_, covered := u.before.covered[before.Rule]
	return !covered
}

// unchanged reports whether the update leaves a field as it was.
func (u *update) unchanged(path release.Path) bool {
	return equal(path.In(u.Old), path.In(u.Object))
}

// kept reports whether the update leaves a field as it was, or replaces a word by another word. Only
// numbers can move further away from a limit.
func (u *update) kept(path release.Path) bool {
	return u.unchanged(path) || word(path.In(u.Old)) && word(path.In(u.Object))
}

// word reports whether a value is a text without digits, or not set.
func word(value any) bool {
	text, ok := value.(string)
	return value == nil || ok && !strings.ContainsAny(text, "0123456789")
}

// worse reports whether some failure ends worse for a release than for the one that it replaces,
// or that is not known. Settings that nobody can forecast here are not worse.
func worse(before, after *release.Release) bool {
	if before == nil || after.Settings == nil {
		return true
	}
	return before.KnownStrategies() && after.KnownStrategies() && slices.ContainsFunc(forecast.Scenarios(), func(s forecast.Scenario) bool {
		return s.Failing() && forecast.EndingOf(*after.Settings, after.Controller, s).Worse(forecast.EndingOf(*before.Settings, before.Controller, s))
	})
}

// same returns the findings of the same rule at the same field.
func same(findings []rules.Finding, as rules.Finding) (out []rules.Finding) {
	for _, finding := range findings {
		if finding.Rule == as.Rule && slices.Equal(finding.Path, as.Path) {
			out = append(out, finding)
		}
	}
	return out
}
