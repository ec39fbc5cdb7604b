package rules

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Evaluate judges a release. If its name or namespace is not known, it is not judged: its
// class is unknown and it has no finding. Of another one with unknown fields, the rules
// that read them are open, and the class is unknown if it depends on them. Waivers that have expired by now do not count.
func (e *Engine) Evaluate(ctx context.Context, r *release.Release, now time.Time) (Verdict, error) {
	if u := r.Unidentified(); u != nil {
		waivers, _ := e.config.Waivers(r, now)
		return Verdict{Class: ClassUnknown, ClassOpen: []release.Unknown{*u}, Waivers: waivers}, nil
	}
	verdict, err := e.judge(ctx, r)
	if err != nil {
		return Verdict{}, fmt.Errorf("judge %s/%s: %w", r.Namespace, r.Name, err)
	}
	verdict.Waivers, verdict.WaiverErrors = e.config.Waivers(r, now)
	e.waive(verdict.Findings, verdict.Waivers, now)
	verdict.Open = slices.DeleteFunc(verdict.Open, func(o Open) bool { return e.waiverOf(o.Rule, verdict.Waivers, now) >= 0 })
	return verdict, nil
}

// waive marks the findings that a valid waiver covers.
func (e *Engine) waive(findings []Finding, waivers []Waiver, now time.Time) {
	for i := range findings {
		if at := e.waiverOf(findings[i].Rule, waivers, now); at >= 0 {
			findings[i].Waiver = &waivers[at]
		}
	}
}

// waiverOf returns the index of the first valid waiver of a rule, -1 if there is none.
func (e *Engine) waiverOf(id string, waivers []Waiver, now time.Time) int {
	rule, _ := e.Rule(id)
	return slices.IndexFunc(waivers, func(w Waiver) bool { return rule.is(w.Rule) && !w.Expired(now) })
}

// Waives reports whether a waiver that has not expired accepts a rule's findings.
func (e *Engine) Waives(w Waiver, id string, now time.Time) bool {
	return e.waiverOf(id, []Waiver{w}, now) == 0
}

func (e *Engine) judge(ctx context.Context, r *release.Release) (Verdict, error) {
	told, err := e.tell(ctx, r)
	if err != nil {
		return Verdict{}, err
	}
	return e.verdict(told, r)
}

// verdict returns the verdict on a release of which something is said.
func (e *Engine) verdict(out told, r *release.Release) (Verdict, error) {
	verdict := Verdict{Class: out.class}
	if len(out.classOpen) > 0 {
		verdict.Class, verdict.ClassOpen = ClassUnknown, unknownAt(r, out.classOpen)
	} else if out.class == ClassUnknown {
		_, verdict.ClassOpen = r.Newer()
	}
	for _, made := range out.report {
		if made.Open != "" {
			if rule, ok := e.Rule(made.Rule); ok { // for what is not in the object
				verdict.Open = append(verdict.Open, e.openOf(&rule, r, []release.Unknown{{Reason: made.Open}})...)
			}
			continue
		}
		finding, err := e.finding(made, r)
		if err != nil {
			return Verdict{}, err
		}
		if finding.Severity != Off {
			verdict.Findings = append(verdict.Findings, finding)
		}
	}
	for _, o := range out.open {
		verdict.Open = append(verdict.Open, e.openOf(o.rule, r, unknownAt(r, o.fields))...)
	}
	slices.SortStableFunc(verdict.Findings, compareFindings)
	return verdict, nil
}

func (e *Engine) finding(made report, r *release.Release) (Finding, error) {
	rule, ok := e.Rule(made.Rule)
	if !ok {
		return Finding{}, fmt.Errorf("a policy reports as rule %q, which has no METADATA", made.Rule)
	}
	if made.Raise < min(rule.Raise, 0) || made.Raise > max(rule.Raise, 0) {
		return Finding{}, fmt.Errorf("rule %s raises a finding by %d, but its METADATA declares custom.raise %d", rule.ID, made.Raise, rule.Raise)
	}
	if made.Since != "" && !rule.IsTightened(made.Since) {
		return Finding{}, fmt.Errorf("rule %s reports a finding since %s, but its METADATA has no such version in custom.tightened", rule.ID, made.Since)
	}
	path, err := release.ParsePath(made.Path)
	if err != nil {
		return Finding{}, fmt.Errorf("rule %s: %w", rule.ID, err)
	}
	finding := Finding{
		Rule: rule.ID, Category: rule.Category, Message: made.Message, Path: path, Scenario: cmp.Or(made.Scenario, rule.scenario(path, r.Settings)), Written: made.Written, Key: made.Key,
		Severity: e.raised(rule, r.Tier, made.Raise), Degree: made.Degree, Blocks: rule.Blocks && made.Raise >= 0, Object: made.Object,
		Help: made.Help,
	}
	if finding.CountsFrom = e.CountsFrom(rule, made.Since); finding.CountsFrom != "" {
		finding.Message += fmt.Sprintf(" (counts as %s from %s on)", e.severity(rule, r.Tier).raise(e.steps(rule, r.Tier, made.Raise)), finding.CountsFrom)
		finding.Severity = finding.Severity.AtMost(Warning)
	}
	if made.Fix != nil {
		if finding.Fix, err = made.Fix.of(rule, r); err != nil {
			return Finding{}, fmt.Errorf("rule %s: fix: %w", rule.ID, err)
		}
		finding.Fix.OnlySelected = finding.Severity == Info || !finding.Fix.Safe && e.worst(rule) != Error
	}
	return finding, nil
}

func compareFindings(a, b Finding) int {
	return strings.Compare(a.Path.String()+" "+a.Rule, b.Path.String()+" "+b.Rule)
}
