package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
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
	p, err := sources{}.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	inherited := inheritedFindings(t, p.engine)
	for _, rule := range p.engine.Rules() {
		for _, relation := range relationsOf(rule) {
			needed := slices.ContainsFunc(inherited, func(i inheritedFinding) bool {
				u, harms := *i.update, true
				u.harms = &harms
				u.rule = func(id string) (rules.Rule, bool) {
					rule, ok := i.update.rule(id)
					return relation.without(rule), ok
				}
				return !u.had(i.finding)
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
	files, err := filepath.Glob("../../testdata/admission/*.yaml")
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
	p := &ruleset{engine: engine, config: config}
	r := reviewOf(t, c.request(t))
	d, err := p.decide(t.Context(), r, c.Tier, day)
	if err != nil {
		t.Fatal(err)
	}
	u, err := p.update(t.Context(), d, r, day)
	if err != nil {
		t.Fatal(err)
	}
	var all []inheritedFinding
	for _, finding := range d.inherited {
		all = append(all, inheritedFinding{u, finding})
	}
	return all
}

// TestRelationsOfOwnRules updates a release under two rules of a user's own, of which
// the repair of one leaves the other, and may not be reverted.
func TestRelationsOfOwnRules(t *testing.T) {
	dir := t.TempDir()
	for name, rule := range map[string]string{
		"unnamed": ownRule("unnamed", "#   leaves: [short-name]\n", `not input.object.spec.releaseName`),
		"short":   ownRule("short-name", "", `count(input.object.spec.releaseName) < 3`),
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".rego"), []byte(rule), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := sources{rules: dir}.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	retry := map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}}
	unnamed := map[string]any{"spec": map[string]any{"install": retry, "upgrade": retry}}
	short := map[string]any{"spec": map[string]any{"install": retry, "upgrade": retry, "releaseName": "x"}}
	if d := decideUpdate(t, p, unnamed, short); d.outcome != warned || !slices.Equal(ids(d.inherited), []string{"short-name"}) {
		t.Errorf("%s, inherited %v; want short-name to be inherited", d.outcome, ids(d.inherited))
	}
	if d := decideUpdate(t, p, short, unnamed); d.outcome != denied {
		t.Errorf("%s, want denied: nothing says that unnamed is milder than short-name", d.outcome)
	}
	p.config = &rules.Config{Spec: rules.ConfigSpec{Rules: map[string]rules.RuleConfig{"unnamed": {RuleSetting: rules.RuleSetting{Severity: rules.Warning}}}}}
	if p.engine, err = p.engine.Under(p.config); err != nil {
		t.Fatal(err)
	}
	if d := decideUpdate(t, p, unnamed, short); d.outcome != denied {
		t.Errorf("%s, want denied: what was only a warning excuses no error", d.outcome)
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

// TestNoRuleInGo holds that the programs know rules by what their METADATA says
// and never by name: what is true of one holds for a user's own too.
func TestNoRuleInGo(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, rule := range engine.Rules() {
		if rule.ID != "suspended" { // also the word for a state of releases and Alerts
			ids = append(ids, rule.ID)
		}
	}
	quoted := regexp.MustCompile("[\"`](" + strings.Join(ids, "|") + ")[\"`]")
	for _, root := range []string{"../../cmd", "../../pkg"} {
		err := filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			data, err := os.ReadFile(file)
			for _, found := range quoted.FindAllString(string(data), -1) {
				t.Errorf("%s names the rule %s", file, found)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
