package ruletest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/flux-remedy/remedy/pkg/loss"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// ReportKind is the kind of a [Report].
const ReportKind = "RuleTestReport"

// Report is what is found.
type Report struct {
	APIVersion string  `json:"apiVersion" jsonschema:"enum=flux-remedy.io/v1alpha1"`
	Kind       string  `json:"kind" jsonschema:"enum=RuleTestReport"`
	Summary    Summary `json:"summary"`
	// Results are of the rules that are tested, by file.
	Results []Result `json:"rules"`
}

// Summary counts what was tested.
type Summary struct {
	Rules int `json:"rules"`
	// Failing are the rules with a fault.
	Failing int `json:"failing"`
	Faults  int `json:"faults"`
	// Checks counts the checks that were made, and Tests the Rego tests with their cases.
	Checks int `json:"checks"`
	Tests  int `json:"tests"`
	// Skipped counts the checks that were not to be made.
	Skipped int `json:"skipped"`
}

// Result is what is found of a rule.
type Result struct {
	// Rule is its id, and Category its category; empty if it does not compile.
	Rule     string `json:"rule,omitempty"`
	Category string `json:"category,omitempty"`
	// File is the file of the rule.
	File string `json:"file"`
	// Checks are those of this package, then the Rego tests.
	Checks []Check `json:"checks"`
	// Coverage is how much of the rule its Rego tests reach.
	Coverage *Coverage `json:"coverage,omitempty"`

	source int
}

// Check is a check, or a Rego test.
type Check struct {
	Name string `json:"name"`
	// Test is true for a Rego test.
	Test bool `json:"test,omitempty"`
	// Skipped is true if it was not to be made.
	Skipped bool `json:"skipped,omitempty"`
	// Cases counts the cases of a Rego test; zero if it is one itself.
	Cases int `json:"cases,omitempty"`
	// Faults is empty if it is held.
	Faults []Fault `json:"faults,omitempty"`
}

// Fault is what is wrong, and where.
type Fault struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// Coverage is how much of a file tests reach, in lines that say something.
type Coverage struct {
	Lines   int `json:"lines"`
	Covered int `json:"covered"`
	// Missed are the lines that no test reaches.
	Missed []int `json:"missed,omitempty"`
}

// Percent is 100 for a file without such lines.
func (c Coverage) Percent() int {
	if c.Lines == 0 {
		return 100
	}
	return 100 * c.Covered / c.Lines
}

func reportOf(results []Result) *Report {
	out := &Report{APIVersion: rules.ConfigAPIVersion, Kind: ReportKind, Results: results}
	s := &out.Summary
	s.Rules = len(results)
	for _, r := range results {
		n := r.Faults()
		if s.Faults += n; n > 0 {
			s.Failing++
		}
		for _, check := range r.Checks {
			switch {
			case check.Skipped:
				s.Skipped++
			case check.Test:
				s.Tests += max(1, check.Cases)
			default:
				s.Checks++
			}
		}
	}
	return out
}

// Faults counts the faults of a rule.
func (r Result) Faults() (n int) {
	for _, check := range r.Checks {
		n += len(check.Faults)
	}
	return n
}

func (r *Result) checked(name string, skip []string, find func() ([]Fault, error)) error {
	if slices.Contains(skip, name) {
		r.Checks = append(r.Checks, Check{Name: name, Skipped: true})
		return nil
	}
	faults, err := find()
	r.Checks = append(r.Checks, Check{Name: name, Faults: faults})
	return err
}

// lossIn says what an uninstall deletes by the manifests in a file; nil if there is none. With
// old.rendered.yaml beside it they are those of a new version of the chart.
func lossIn(folder fs.FS, name string) (*loss.Loss, error) {
	now, err := renderedIn(folder, name)
	if now == nil || err != nil {
		return nil, err
	}
	out := loss.Of(*now)
	old, err := renderedIn(folder, "old.rendered.yaml")
	if old != nil {
		out.Dropped = loss.Dropped(*old, *now)
	}
	return out, err
}

func renderedIn(folder fs.FS, name string) (*loss.Release, error) {
	data, err := optional(folder, name)
	if data == nil || err != nil {
		return nil, err
	}
	documents, err := loss.Documents(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &loss.Release{Chart: "the chart", Documents: documents}, nil
}

// page checks that the page beside the rule, if there is one, is that of the rule today.
// One that is written by hand is left alone.
func (t *tested) page() ([]Fault, error) {
	data, err := fs.ReadFile(t.folder, PageFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && t.opts.BuiltIn:
		return []Fault{t.exampleFault(PageFile, nil, "there is none: run make generate")}, nil
	case errors.Is(err, fs.ErrNotExist), t.opts.Author == "":
		return nil, nil
	case err != nil:
		return nil, err
	}
	want, err := Page(t.rule, t.folder, t.opts.Author)
	if err != nil || bytes.Equal(data, want) || !bytes.HasPrefix(data, []byte(PageHead)) {
		return nil, err
	}
	return []Fault{{t.source.at(t.inFolder(PageFile)), 1, "the page is not that of the rule any more: run \"" + t.opts.Author + "\""}}, nil
}
