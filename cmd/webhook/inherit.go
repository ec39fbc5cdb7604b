package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// inherit moves findings from denied to inherited if the update does not make them: an
// update is denied for what it makes worse, never for what it leaves as it was.
//
// A fault that the replaced object had is old, unless it gets worse. One that is
// reported for the first time is old if an old one made or hid it, by the relations in
// the rules' METADATA, or if the forecast of no scenario gets worse and the update leaves
// its field alone or puts another word there: a word is no further from a limit. What was
// accepted must stay so, whatever the forecast says.
func (p *ruleset) inherit(ctx context.Context, d *decision, r *review, now time.Time) error {
	u, err := p.update(ctx, d, r, now)
	if err != nil {
		return err
	}
	d.lapsed = u.before.covered
	d.names |= u.before.Names
	d.denied = slices.DeleteFunc(d.denied, func(f rules.Finding) bool {
		d.names |= rules.NamesAt(f.Path) // it may matter whether there is a number in it
		had := u.had(f)
		if had {
			d.inherited = append(d.inherited, f)
		}
		return had
	})
	d.names |= u.names
	return u.err
}

// update judges the replaced object, and the new one alone if that is asked for.
func (p *ruleset) update(ctx context.Context, d *decision, r *review, now time.Time) (*update, error) {
	if r.before == nil {
		var err error
		if r.before, err = p.replaced(ctx, r, d.tier, now); err != nil {
			return nil, err
		}
	}
	alone := sync.OnceValues(func() (rules.Verdict, error) {
		created := *d.release
		created.Old = nil
		return p.engine.Evaluate(ctx, &created, now)
	})
	return &update{review: r, rule: p.engine.Rule, before: r.before, after: d.release, alone: alone}, nil
}

// update is a request that replaces an object.
type update struct {
	*review
	rule   func(id string) (rules.Rule, bool)
	before *replaced
	after  *release.Release
	// alone judges the new object as if it were created.
	alone func() (rules.Verdict, error)
	harms *bool         // what harmful has found
	err   error         // why something could not be judged
	names rules.NameSet // that the verdict on the new object alone depends on
}

// had reports whether the update does not make a finding.
func (u *update) had(now rules.Finding) bool {
	if before := same(u.before.Findings, now); len(before) > 0 {
		return slices.ContainsFunc(before, func(before rules.Finding) bool {
			return u.counts(before) && before.Severity.AtLeast(now.Severity) && before.Degree >= now.Degree
		})
	}
	return u.excused(now) || u.before.Class == rules.ClassViolating && u.untouched(now) && !u.harmful()
}

// counts reports whether a finding on the replaced object makes later ones old. One that
// was waived does not: what is accepted for a time is not accepted for ever.
func (u *update) counts(before rules.Finding) bool {
	_, covered := u.before.covered[before.Rule]
	return !covered
}

// untouched reports whether a finding is on the object itself, not on the change of it,
// and the update leaves its field as it was or only puts another word there.
func (u *update) untouched(now rules.Finding) bool {
	words := word(now.Path.In(u.Old)) && word(now.Path.In(u.Object))
	if !words && !u.unchanged(now.Path) {
		return false
	}
	alone, err := u.alone()
	u.err = cmp.Or(u.err, err)
	u.names |= alone.Names
	return len(same(alone.Findings, now)) > 0
}

// word reports whether a value has no number in it, which might have a limit.
func word(value any) bool {
	text, ok := value.(string)
	return value == nil || ok && !strings.ContainsAny(text, "0123456789")
}

// excused reports whether METADATA relates a finding to an old one that made or hid it.
func (u *update) excused(now rules.Finding) bool {
	rule, _ := u.rule(now.Rule)
	if rule.Accepted && u.before.Class == rules.ClassViolating && u.unchanged(now.Path) {
		return true // the rule reports only on accepted classes, and this was of none
	}
	return slices.ContainsFunc(u.before.Findings, func(before rules.Finding) bool {
		was, _ := u.rule(before.Rule)
		return before.Severity == rules.Error && u.counts(before) && was.Covers(before.Path, now.Rule, now.Path, u.unchanged(now.Path))
	})
}

// unchanged reports whether the update leaves a field as it was.
func (u *update) unchanged(path release.Path) bool {
	return equal(path.In(u.Old), path.In(u.Object))
}

// harmful reports whether the forecast of some scenario gets worse. It is worked out
// once, and only if it is asked for. What nobody can forecast here is not worse.
func (u *update) harmful() bool {
	if u.harms == nil {
		harms := u.before.release == nil || u.after.Settings == nil ||
			u.before.release.KnownStrategies() && u.after.KnownStrategies() && worse(u.before.release, u.after)
		u.harms = &harms
	}
	return *u.harms
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
