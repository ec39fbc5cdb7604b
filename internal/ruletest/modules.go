package ruletest

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

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

// says reports whether a text is in the Rego of a rule.
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
