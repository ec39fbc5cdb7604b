package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"
)

// Rule describes a policy, as its METADATA does.
type Rule struct {
	// ID is the name of the rule's folder, unique across categories.
	ID string
	// Category is the folder above it.
	Category string
	// Title is one line; Description is Markdown.
	Title       string
	Description string
	// Help says in one line what to do about a finding; empty if nothing says so.
	Help string
	// Severity is the default by tier.
	Severity map[release.Tier]Severity
	// Raise is how many steps worse than Severity findings are at most (milder if
	// negative, where no configuration sets the severity); zero if all are as bad.
	Raise int
	// Params are the parameters by name, with their defaults.
	Params map[string]Param
	// Scenario names the forecast that shows the failure; empty if none does.
	// A finding at spec.install shows "install-X" where this is "upgrade-X", and
	// "install-test-fails" for "test-fails". Where health is not waited for, an attempt
	// that is refused is shown instead of one that does not become healthy.
	Scenario string
	// Blind is true if the scenario is shown as it is for a half that does not wait
	// for health: the rule is about failures that are not noticed.
	Blind bool
	// Blocks is true if Flux cannot apply an object that the rule reports. Then it applies
	// nothing of the Kustomization that holds it, but for CRDs, ClusterRoles, Namespaces and
	// classes: all objects are tried before one is applied.
	// Source: github.com/fluxcd/pkg/ssa, ApplyAllStaged and ApplyAll.
	Blocks bool
	// References are pages with more about the subject.
	References []Reference
	// CEL are its faults for a ValidatingAdmissionPolicy; empty if CEL cannot say it.
	CEL []CELFault
	// Relations are its relations to other rules.
	Relations
	// Former holds its former names.
	Former
	// History says since when it reports what it reports.
	History
	// Origin is where its METADATA begins.
	Origin Origin
}

// Reference is a page about a rule's subject.
type Reference = rego.Reference

// customMetadata is what METADATA says of a rule below custom.
type customMetadata struct {
	Help     string                    `json:"help"`
	Severity map[release.Tier]Severity `json:"severity"`
	Params   map[string]Param          `json:"params"`
	Scenario string                    `json:"scenario"`
	Raise    int                       `json:"raise"`
	Blind    bool                      `json:"blind"`
	Blocks   bool                      `json:"blocks"`
	CEL      []CELFault                `json:"cel"`
	Relations
	Former
	History
}

// rulesOf returns the rules that are described, with their relations.
func rulesOf(all []rego.Description) ([]Rule, error) {
	rules := make([]Rule, len(all))
	for i, d := range all {
		var err error
		if rules[i], err = ruleOf(d); err != nil {
			return nil, err
		}
	}
	if err := checkNames(rules); err != nil {
		return nil, err
	}
	return rules, relate(rules)
}

func ruleOf(d rego.Description) (Rule, error) {
	rule := Rule{ID: d.ID, Category: d.Category, Title: d.Title, Description: d.Description, References: d.References, Origin: d.Origin}
	if d.Custom == nil {
		return Rule{}, rule.wrong("", errors.New("there is none above the package"))
	}
	var custom customMetadata
	if err := json.Unmarshal(d.Custom, &custom); err != nil {
		return Rule{}, rule.wrong("custom", err)
	}
	rule.Help = strings.Join(strings.Fields(custom.Help), " ")
	rule.Severity, rule.Params, rule.Raise = custom.Severity, custom.Params, custom.Raise
	rule.Scenario, rule.Blind, rule.Blocks, rule.CEL = custom.Scenario, custom.Blind, custom.Blocks, custom.CEL
	rule.Relations, rule.Former, rule.History = custom.Relations, custom.Former, custom.History
	return rule, rule.validate()
}

// Severities returns for people the severities of the findings in a tier: "warning",
// "warning or error" if some are raised by a step, "info to error" if by more.
func (r Rule) Severities(tier release.Tier) string {
	return between(r.Severity[tier], r.Severity[tier].raise(r.Raise))
}

func between(s, raised Severity) string {
	switch raised {
	case s:
		return string(s)
	case s.raise(1), s.raise(-1):
		return string(s) + " or " + string(raised)
	}
	return string(s) + " to " + string(raised)
}

// scenario returns the name of the forecast that shows a finding at a path of a
// release with these settings.
func (r Rule) scenario(path release.Path, settings *release.Settings) string {
	name := r.Scenario
	if len(path) > 1 && path[0] == "spec" && path[1] == "install" {
		name = ofInstall(name)
	}
	if settings != nil && !r.Blind && unnoticed(name, settings) {
		name, _, _ = strings.Cut(name, "-")
		return name + "-refused"
	}
	return name
}

// ofInstall returns the counterpart for installs of a scenario of upgrades.
func ofInstall(name string) string {
	if what, ok := strings.CutPrefix(name, "upgrade-"); ok {
		return "install-" + what
	}
	if strings.HasPrefix(name, "test-") {
		return "install-" + name
	}
	return name
}

// unnoticed reports whether a half that acts in a scenario of lacking health does not
// wait for it.
func unnoticed(name string, settings *release.Settings) bool {
	install, upgrade := settings.Install, settings.Upgrade
	switch name {
	case "install-fails", "install-fails-once":
		return install.DisableWait || upgrade.DisableWait && install.Strategy == release.RetryOnFailure
	case "upgrade-fails", "upgrade-fails-once":
		return upgrade.DisableWait || install.DisableWait && upgrade.Remediation == release.Uninstall
	}
	return false
}

func (r Rule) validate() error {
	if r.Title == "" {
		return r.wrong("title", errors.New("it is required, one line"))
	}
	if r.Description == "" {
		return r.wrong("description", errors.New("it is required, Markdown"))
	}
	for _, tier := range release.Tiers {
		if _, err := ParseSeverity(string(r.Severity[tier])); err != nil {
			return r.wrong("custom.severity."+string(tier), err)
		}
	}
	for _, name := range sortedKeys(r.Params) {
		if _, err := r.Params[name].value(r.Params[name].Default); err != nil {
			return r.wrong("custom.params."+name+".default", err)
		}
	}
	for _, name := range sortedKeys(r.Moved) {
		if err := (&LawSetting{}).set(r.Moved[name], nil); err != nil {
			return r.wrong("custom.moved."+name, fmt.Errorf("spec.law has no %s", r.Moved[name]))
		}
	}
	for i, fault := range r.CEL {
		if err := fault.validate(); err != nil {
			return r.wrong(fmt.Sprintf("custom.cel[%d]", i), err)
		}
	}
	if r.Refuses && r.Category != apiCategory {
		return r.wrong("custom.refuses", fmt.Errorf("only a rule of the category %s may say so", apiCategory))
	}
	if r.Blocks && r.Category != apiCategory {
		return r.wrong("custom.blocks", fmt.Errorf("only a rule of the category %s may say so", apiCategory))
	}
	return r.validateHistory()
}
