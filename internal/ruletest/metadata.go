package ruletest

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

const (
	longestTitle = 80
	longestHelp  = 100
)

// metadata checks what METADATA says for people, and that it says nothing unknown.
func (t *tested) metadata() ([]Fault, error) {
	var faults []Fault
	wrong := func(field, format string, args ...any) {
		faults = append(faults, t.metadataFault(field, fmt.Sprintf(format, args...)))
	}
	if base := strings.TrimSuffix(path.Base(t.rule.Origin.File), ".rego"); base != t.rule.ID {
		wrong("", "the file is named %s.rego and the rule %s: give them one name", base, t.rule.ID)
	}
	title, help := t.rule.Title, t.rule.Help
	if n := utf8.RuneCountInString(title); n > longestTitle {
		wrong("title", "the title has %d characters, want at most %d", n, longestTitle)
	}
	if strings.HasSuffix(title, ".") {
		wrong("title", "the title ends with a full stop: leave it out")
	}
	if n := utf8.RuneCountInString(help); n == 0 {
		wrong("custom.help", "custom.help is missing: say in a sentence what to do")
	} else if n > longestHelp {
		wrong("custom.help", "custom.help has %d characters, want at most %d", n, longestHelp)
	} else if !strings.HasSuffix(help, ".") {
		wrong("custom.help", "custom.help is no sentence: end it with a full stop")
	}
	if len(t.rule.References) == 0 {
		wrong("related_resources", "related_resources is missing: link to a page about the subject")
	}
	if _, err := forecast.Find(t.rule.Scenario); t.rule.Scenario != "" && err != nil {
		wrong("custom.scenario", "custom.scenario: %v", err)
	}
	if t.opts.BuiltIn && t.rule.Since == "" {
		wrong("custom", "custom.since is missing: say which version first has the rule")
	}
	for i, version := range t.rule.Tightened {
		if len(version.Was)+len(version.Params) == 0 && !t.modules.says(t.rule, version.Version) {
			wrong(fmt.Sprintf("custom.tightened[%d]", i), "custom.tightened[%d]: no finding says lib.since(FINDING, %q), and neither a severity nor a default was another one", i, version.Version)
		}
	}
	known := rules.CustomFields()
	for _, name := range customFields(t.source, t.rule.Origin) {
		if !slices.Contains(known, name) {
			wrong("custom."+name, "custom.%s is unknown%s", name, rules.DidYouMean(name, known))
		}
	}
	slices.SortStableFunc(faults, func(a, b Fault) int { return a.Line - b.Line })
	return faults, nil
}

// severities checks that a rule is milder where less depends on a release.
func (t *tested) severities() ([]Fault, error) {
	var faults []Fault
	want := func(tier release.Tier, severity rules.Severity, why string) {
		if is := t.rule.Severity[tier]; is != severity {
			field := "custom.severity." + string(tier)
			faults = append(faults, t.metadataFault(field, fmt.Sprintf("%s is %s, want %s: %s", field, is, severity, why)))
		}
	}
	production, staging := t.rule.Severity[release.Production], t.rule.Severity[release.Staging]
	want(release.Staging, milder(production), "one step below production")
	if production == rules.Off {
		return faults, nil // it is about development
	}
	if t.rule.Category == "api" || t.rule.Category == "data-safety" {
		want(release.Development, milder(staging), "one step below staging, in the category "+t.rule.Category)
	} else {
		want(release.Development, rules.Off, "nothing depends on development, but for the categories api and data-safety")
	}
	return faults, nil
}

// milder returns the severity one step milder; off after info.
func milder(s rules.Severity) rules.Severity {
	at := slices.Index(rules.Severities, s)
	return rules.Severities[min(at+1, len(rules.Severities)-1)]
}

func (t *tested) metadataFault(field, message string) Fault {
	return Fault{File: t.source.at(t.rule.Origin.File), Line: metadataLine(t.source, t.rule.Origin, field), Message: message}
}
