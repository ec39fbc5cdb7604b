package rulekit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// explanation is what is said of a rule and a release.
type explanation struct {
	engine  *rules.Engine
	rule    rules.Rule
	release *release.Release
	*rules.Explanation
	verdict rules.Verdict
	source  string
}

func (e explanation) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s/%s in %s, helm-controller %s\n\n", e.rule.ID, e.release.Namespace, e.release.Name, e.release.Tier, e.release.Controller.Version)
	b.WriteString("It saw\n")
	for _, seen := range e.Saw {
		fmt.Fprintf(&b, "  %s: %s\n", seen.Path, shortened(cmp.Or(seen.Value, "not there")))
	}
	if len(e.Saw) == 0 {
		b.WriteString("  nothing of the release\n")
	}
	fmt.Fprintf(&b, "\n%s\n\n", e.outcome())
	b.WriteString("+ was so at least once, - was never so; a line without a mark was not reached\n")
	for i, line := range strings.Split(strings.TrimRight(e.source, "\n"), "\n") {
		if number := i + 1; number >= e.rule.Origin.Line && !strings.HasPrefix(line, "#") {
			fmt.Fprintf(&b, "%5d %s %s\n", number, e.mark(number), strings.ReplaceAll(line, "\t", "    "))
		}
	}
	return b.String()
}

func (e explanation) mark(number int) string {
	switch held, reached := e.Lines[number]; {
	case held:
		return "+"
	case reached:
		return "-"
	}
	return " "
}

// outcome says what the rule says, and what becomes of it.
func (e explanation) outcome() string {
	switch severity := e.engine.Severity(e.rule, e.release.Tier); {
	case severity == rules.Off:
		return fmt.Sprintf("It is off in %s, and reports nothing.", e.release.Tier)
	case len(e.Findings) == 0:
		return "It reports nothing."
	case len(e.own()) == 0:
		return "It would report, but others that report here silence it: " + strings.Join(e.silencers(), ", ") + "."
	}
	var said []string
	for _, f := range e.own() {
		text := fmt.Sprintf("It reports %s: %s: %s", f.Path, f.Severity, f.Message)
		if f.Waiver != nil {
			text += " (waived: " + f.Waiver.Reason + ")"
		}
		said = append(said, text)
	}
	return strings.Join(said, "\n")
}

// own returns what the rule reports beside all others.
func (e explanation) own() []rules.Finding {
	return slices.DeleteFunc(slices.Clone(e.verdict.Findings), func(f rules.Finding) bool { return f.Rule != e.rule.ID })
}

// silencers names the rules that report although it does not.
func (e explanation) silencers() []string {
	others := []string{}
	for _, f := range e.verdict.Findings {
		others = append(others, f.Rule)
	}
	return slices.Compact(others)
}

const longestValue = 200

func shortened(value string) string {
	if runes := []rune(value); len(runes) > longestValue {
		return string(runes[:longestValue]) + " ..."
	}
	return value
}

// Explanation is what "rules explain -o json" writes.
type Explanation struct {
	APIVersion string `json:"apiVersion" jsonschema:"enum=flux-remedy.io/v1alpha1"`
	Kind       string `json:"kind" jsonschema:"enum=RuleExplanation"`
	// InForce is what the release is judged by.
	InForce    rules.InForce `json:"policy"`
	Rule       string        `json:"rule"`
	Release    release.Name  `json:"release"`
	Tier       release.Tier  `json:"tier"`
	Controller string        `json:"controller"` // its version
	// Severity is that of the rule in the tier.
	Severity rules.Severity `json:"severity"`
	// Saw are the parts of the input that the rule asks for.
	Saw []rules.Seen `json:"saw"`
	// Reports are its findings, and SilencedBy the rules that keep it from having some.
	Reports    []Reported `json:"reports"`
	SilencedBy []string   `json:"silencedBy,omitempty"`
	// Lines are those of its Rego that were reached.
	Lines []Line `json:"lines"`
}

// Reported is a finding.
type Reported struct {
	Path     string         `json:"path"`
	Severity rules.Severity `json:"severity"`
	Message  string         `json:"message"`
	Waived   string         `json:"waived,omitempty"` // why
}

// Line is one that was reached.
type Line struct {
	Line int `json:"line"`
	// Held is true if it was so at least once.
	Held bool   `json:"held"`
	Text string `json:"text"`
}

func (e explanation) document() Explanation {
	out := Explanation{
		APIVersion: rules.ConfigAPIVersion, Kind: "RuleExplanation", InForce: e.engine.InForce(), Rule: e.rule.ID,
		Release: release.Name{Namespace: e.release.Namespace, Name: e.release.Name}, Tier: e.release.Tier, Controller: e.release.Controller.Version,
		Severity: e.engine.Severity(e.rule, e.release.Tier), Saw: append([]rules.Seen{}, e.Saw...), Reports: []Reported{}, Lines: []Line{},
	}
	for _, f := range e.own() {
		one := Reported{Path: f.Path.String(), Severity: f.Severity, Message: f.Message}
		if f.Waiver != nil {
			one.Waived = f.Waiver.Reason
		}
		out.Reports = append(out.Reports, one)
	}
	if len(e.Findings) > 0 && len(out.Reports) == 0 && out.Severity != rules.Off {
		out.SilencedBy = e.silencers()
	}
	for i, text := range strings.Split(e.source, "\n") {
		if held, reached := e.Lines[i+1]; reached {
			out.Lines = append(out.Lines, Line{i + 1, held, strings.TrimSpace(text)})
		}
	}
	return out
}
