package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"
)

// Engine judges releases by compiled policies under a configuration. It is safe
// for concurrent use.
type Engine struct {
	*compiled
	config   *Config
	settings map[string]RuleConfig                   // by rule id, never by an alias
	limits   map[release.Tier]func() (limits, error) // see limitsOf
	notes    []string
	bundle   string             // revision; empty without one
	together *rego.Memory[told] // what all rules have said
}

// New compiles the policies of one or more file systems. The first holds the
// entrypoint, the library and the schema of the input, laid out as in the package
// policies; the others only add rules. The engine has the empty configuration;
// [Engine.Under] returns one with another.
func New(_ context.Context, sources ...fs.FS) (*Engine, error) {
	if len(sources) == 0 {
		return nil, errors.New("compile policies: no source given")
	}
	compiled, err := compile(sources)
	if err != nil {
		return nil, err
	}
	return (&Engine{compiled: compiled}).Under(&Config{})
}

// Rules lists the rules by category and id.
func (e *Engine) Rules() []Rule { return slices.Clone(e.rules) }

// IDs lists the ids of the rules.
func (c *compiled) IDs() []string { return c.each(func(r Rule) string { return r.ID }) }

// Categories lists the categories of the rules.
func (c *compiled) Categories() []string { return c.each(func(r Rule) string { return r.Category }) }

func (c *compiled) each(of func(Rule) string) []string {
	var out []string
	for _, rule := range c.rules {
		out = append(out, of(rule))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Rule returns the rule of an id, and whether there is one. Aliases are not found;
// see [Engine.Named].
func (e *Engine) Rule(id string) (Rule, bool) {
	at := slices.IndexFunc(e.rules, func(r Rule) bool { return r.ID == id })
	if at < 0 {
		return Rule{}, false
	}
	return e.rules[at], true
}

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

// told is what the policies say of a release, and of all that are set alike.
type told struct {
	class     Class
	classOpen []int // unknown fields on which it depends, as indexes into those of the release
	report    []report
	open      []openRule
}

// openRule is a rule that depends on unknown fields.
type openRule struct {
	rule   *Rule
	fields []int
}

// Size says about how many bytes it takes.
func (t told) Size() int {
	size := answerSize + sizeOf(t.report)
	for _, o := range t.open {
		size += answerSize + 8*len(o.fields)
	}
	return size
}

// report is a finding in the shape that Rego returns.
type report struct {
	Rule     string `json:"rule"`
	Category string `json:"category"`
	Message  string `json:"message"`
	Path     []any  `json:"path"`
	Object   string `json:"object"`
	// Raise is how many steps worse than the rule's severity this finding is.
	Raise   int     `json:"raise"`
	Written bool    `json:"written"`
	Degree  float64 `json:"degree"`
	// Since is the version since which the rule reports it, if that is not the rule's own.
	Since string `json:"since"`
	// Scenario is shown instead of the rule's.
	Scenario string     `json:"scenario"`
	Fix      *reportFix `json:"fix"`
	// Open says, instead of all else, why the rule cannot be checked.
	Open string `json:"open"`
}

type reportFix struct {
	Safe  bool         `json:"safe"`
	Set   []reportEdit `json:"set"`
	Other *struct {
		Class Class        `json:"class"`
		Safe  bool         `json:"safe"`
		Set   []reportEdit `json:"set"`
	} `json:"other"`
}

type reportEdit struct {
	Object string `json:"object"`
	Path   []any  `json:"path"`
	Value  any    `json:"value"`
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
		Rule: rule.ID, Category: rule.Category, Message: made.Message, Path: path, Scenario: cmp.Or(made.Scenario, rule.scenario(path, r.Settings)), Written: made.Written,
		Severity: e.Severity(rule, r.Tier).raise(made.Raise), Degree: made.Degree, Blocks: rule.Blocks && made.Raise >= 0, Object: made.Object,
	}
	if finding.CountsFrom = e.CountsFrom(rule, made.Since); finding.CountsFrom != "" {
		finding.Message += fmt.Sprintf(" (counts as %s from %s on)", e.severity(rule, r.Tier).raise(made.Raise), finding.CountsFrom)
		finding.Severity = finding.Severity.AtMost(Warning)
	}
	if made.Fix != nil {
		if finding.Fix, err = made.Fix.of(rule, r); err != nil {
			return Finding{}, fmt.Errorf("rule %s: fix: %w", rule.ID, err)
		}
		finding.Fix.OnlySelected = finding.Severity == Info || !finding.Fix.Safe && !e.failsRuns(rule)
	}
	return finding, nil
}

// Severity returns a rule's severity in a tier: the configuration's for the
// tier, else for the rule, else the rule's own as of spec.rulesAsOf. A rule that is newer is
// at most a warning.
func (e *Engine) Severity(rule Rule, tier release.Tier) Severity {
	if e.isNew(&rule) {
		return e.severity(rule, tier).AtMost(Warning)
	}
	return e.severity(rule, tier)
}

// failsRuns reports whether findings of a rule are errors in some tier, or may be raised to that.
func (e *Engine) failsRuns(rule Rule) bool {
	return slices.ContainsFunc(release.Tiers, func(t release.Tier) bool { return e.severity(rule, t).raise(max(rule.Raise, 0)) == Error })
}

func (e *Engine) severity(rule Rule, tier release.Tier) Severity {
	given, own := e.settings[rule.ID], rule.Severity[tier]
	if asOf := e.config.Spec.RulesAsOf; asOf != "" {
		own = rule.severityAsOf(tier, asOf)
	}
	return cmp.Or(given.Tiers[tier].Severity, given.Severity, own)
}

func compareFindings(a, b Finding) int {
	return strings.Compare(a.Path.String()+" "+a.Rule, b.Path.String()+" "+b.Rule)
}
