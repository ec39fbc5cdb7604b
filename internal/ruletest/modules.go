package ruletest

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/open-policy-agent/opa/v1/ast"
)

// fixtureFile makes the inputs of tests, for rules of users too.
const fixtureFile = "lib/fixture_test.rego"

// modules are the rules and their Rego tests, parsed, by the names that files have in the
// engine.
type modules struct {
	sources []Source
	all     map[string]*ast.Module
	broken  map[string]ast.Errors // files of tests that cannot be parsed
}

// parse reads the Rego of the sources, of the first one without its tests unless these are
// run.
func parse(sources []Source, builtIn bool) (*modules, error) {
	out := &modules{sources, map[string]*ast.Module{}, map[string]ast.Errors{}}
	for i, source := range sources {
		files, err := regoIn(source)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if i == 0 && isTest(file) && !builtIn && file != fixtureFile {
				continue
			}
			if err := out.read(i, source, file); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (m *modules) read(number int, source Source, file string) error {
	data, err := fs.ReadFile(source, file)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%d/%s", number, file)
	module, err := ast.ParseModuleWithOpts(name, string(data), ast.ParserOptions{ProcessAnnotation: true, RegoVersion: ast.RegoV1})
	if errs, ok := err.(ast.Errors); ok && isTest(file) {
		m.broken[name] = errs
		return nil
	}
	m.all[name] = module
	return err
}

// testsOf lists the files of tests in the folder of a rule.
func (m *modules) testsOf(r Result, folder string) (names []string) {
	for name := range m.all {
		at := rules.OriginOf(&ast.Location{File: name})
		if at.Source == r.source && isTest(name) && path.Dir(at.File) == folder {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (m *modules) says(rule rules.Rule, text string) (found bool) {
	module := m.all[fmt.Sprintf("%d/%s", rule.Origin.Source, rule.Origin.File)]
	if module == nil {
		return false
	}
	ast.WalkTerms(module, func(term *ast.Term) bool {
		found = found || term.Value.Compare(ast.String(text)) == 0
		return found
	})
	return found
}

// reportLine returns the line of the first finding of a rule in its Rego.
func (m *modules) reportLine(rule rules.Rule) int {
	module := m.all[fmt.Sprintf("%d/%s", rule.Origin.Source, rule.Origin.File)]
	if module == nil {
		return rule.Origin.Line
	}
	for _, r := range module.Rules {
		if r.Head.Ref().String() == "report" {
			return r.Location.Row
		}
	}
	return rule.Origin.Line
}

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
	if staging != rules.Off {
		want(release.Staging, milder(production), "one step below production, or off where production alone is meant")
	}
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
	at := s.Rank()
	return rules.Severities[min(at+1, len(rules.Severities)-1)]
}

func (t *tested) metadataFault(field, message string) Fault {
	return Fault{File: t.source.at(t.rule.Origin.File), Line: metadataLine(t.source, t.rule.Origin, field), Message: message}
}
