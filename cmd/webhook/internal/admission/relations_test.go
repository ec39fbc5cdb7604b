package admission

import (
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// relation is one that a rule's METADATA states; other is empty for a flag.
type relation struct{ rule, kind, other string }

// relationsOf lists what a rule states.
func relationsOf(rule rules.Rule) []relation {
	var all []relation
	for kind, others := range map[string][]string{"hides": rule.Hides, "leaves": rule.Leaves, "nearer": rule.Nearer} {
		for _, other := range others {
			all = append(all, relation{rule.ID, kind, other})
		}
	}
	if rule.Accepted {
		all = append(all, relation{rule.ID, "accepted", ""})
	}
	return all
}

// without returns a rule that does not state a relation.
func (r relation) without(rule rules.Rule) rules.Rule {
	if rule.ID != r.rule {
		return rule
	}
	but := func(kind string, others []string) []string {
		return slices.DeleteFunc(slices.Clone(others), func(other string) bool { return kind == r.kind && other == r.other })
	}
	rule.Hides, rule.Leaves, rule.Nearer = but("hides", rule.Hides), but("leaves", rule.Leaves), but("nearer", rule.Nearer)
	rule.Accepted = rule.Accepted && r.kind != "accepted"
	return rule
}

// TestRelationsAreNeeded takes each relation away, one after the other: each is
// what lets pass a finding of some case in testdata/admission, where the forecast does
// not say that no scenario gets worse.
func TestRelationsAreNeeded(t *testing.T) {
	p := newJudge(t)
	inherited := inheritedFindings(t, p.Engine)
	for _, rule := range p.Engine.Rules() {
		for _, relation := range relationsOf(rule) {
			needed := slices.ContainsFunc(inherited, func(i inheritedFinding) bool {
				u := *i.update
				u.worse = func() bool { return true }
				u.rule = func(id string) (rules.Rule, bool) {
					rule, ok := i.update.rule(id)
					return relation.without(rule), ok
				}
				old, err := u.had(i.finding)
				return !old && err == nil
			})
			if !needed {
				t.Errorf("no case of testdata/admission needs %v", relation)
			}
		}
	}
}

// inheritedFinding is a finding that an update is not denied for.
type inheritedFinding struct {
	update  *update
	finding rules.Finding
}

// inheritedFindings lists those of all cases.
func inheritedFindings(t *testing.T, engine *rules.Engine) []inheritedFinding {
	t.Helper()
	files, err := filepath.Glob("../../../../testdata/admission/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []inheritedFinding
	for _, file := range files {
		for _, c := range readCases(t, file) {
			if len(c.Want.Inherited) > 0 {
				all = append(all, c.inherited(t, engine)...)
			}
		}
	}
	return all
}

func (c *admissionCase) inherited(t *testing.T, engine *rules.Engine) []inheritedFinding {
	t.Helper()
	config := &rules.Config{Spec: c.Config}
	engine, err := engine.Under(config)
	if err != nil {
		t.Fatal(err)
	}
	p := &Judge{Engine: engine, Config: config}
	r := reviewOf(t, c.request(t))
	d, err := p.Decide(t.Context(), r, c.Tier, day)
	if err != nil {
		t.Fatal(err)
	}
	h := &hearing{Judge: p, Review: r, tier: c.Tier, now: day}
	h.before = func() (*replaced, error) { return h.replaced(t.Context()) }
	u, err := h.update(t.Context(), d.release)
	if err != nil {
		t.Fatal(err)
	}
	var all []inheritedFinding
	for _, finding := range d.Inherited {
		all = append(all, inheritedFinding{u, finding})
	}
	return all
}

// TestRelationsOfOwnRules updates a release under two rules of a user's own, of which
// the repair of one leaves the other, and may not be reverted.
func TestRelationsOfOwnRules(t *testing.T) {
	p := newJudge(t, fstest.MapFS{
		"unnamed.rego": {Data: []byte(ownRule("unnamed", "#   leaves: [short-name]\n", `not input.object.spec.releaseName`))},
		"short.rego":   {Data: []byte(ownRule("short-name", "", `count(input.object.spec.releaseName) < 3`))},
	})
	retry := map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}}
	unnamed := map[string]any{"spec": map[string]any{"install": retry, "upgrade": retry}}
	short := map[string]any{"spec": map[string]any{"install": retry, "upgrade": retry, "releaseName": "x"}}
	if d := decideUpdate(t, p, unnamed, short); d.Outcome != Warned || !slices.Equal(ids(d.Inherited), []string{"short-name"}) {
		t.Errorf("%s, inherited %v; want short-name to be inherited", d.Outcome, ids(d.Inherited))
	}
	if d := decideUpdate(t, p, short, unnamed); d.Outcome != Denied {
		t.Errorf("%s, want denied: nothing says that unnamed is milder than short-name", d.Outcome)
	}
	p.Config = &rules.Config{Spec: rules.ConfigSpec{Rules: map[string]rules.RuleConfig{"unnamed": {RuleSetting: rules.RuleSetting{Severity: rules.Warning}}}}}
	var err error
	if p.Engine, err = p.Engine.Under(p.Config); err != nil {
		t.Fatal(err)
	}
	if d := decideUpdate(t, p, unnamed, short); d.Outcome != Denied {
		t.Errorf("%s, want denied: what was only a warning excuses no error", d.Outcome)
	}
}

// ownRule is a rule at spec.releaseName.
func ownRule(id, custom, body string) string {
	return `# METADATA
# title: A name
# description: A name is wanted.
# custom:
#   severity: {production: error, staging: warning, development: "off"}
` + custom + `package remedy.rules.visibility["` + id + `"]

import data.remedy.lib

report contains lib.finding(["spec", "releaseName"], "a name is wanted") if ` + body + "\n"
}
