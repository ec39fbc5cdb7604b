package rulekit

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/internal/ruletest"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
	"github.com/spf13/pflag"
)

// TestOptions are what is tested, and how it is shown.
type TestOptions struct {
	// Folders hold the rules; policy if there is none.
	Folders []string
	// Skip are checks that are not made.
	Skip []string
	// MinCoverage is what the Rego tests of a rule must reach, in percent.
	MinCoverage int
	// Format is how the report is written.
	Format string
}

// Register registers the flags that are the test's own.
func (o *TestOptions) Register(flags *pflag.FlagSet) {
	flags.IntVar(&o.MinCoverage, "min-coverage", 0, "fail if the Rego tests reach less than `PERCENT` of the lines of a rule")
	flags.StringVarP(&o.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(TestFormats(), ", "))
}

// Checks lists the checks that can be left out.
func Checks() []string { return ruletest.Checks() }

// Test holds the rules of folders to what the built-in ones are held to, runs their Rego
// tests, and writes a report. It reports whether they hold. Infos of other rules may be on
// their examples.
func Test(ctx context.Context, out io.Writer, o TestOptions) (held bool, err error) {
	write, err := o.writer()
	if err != nil {
		return false, err
	}
	if len(o.Folders) == 0 {
		o.Folders = []string{"policy"}
	}
	sources := []ruletest.Source{{Name: "built-in", FS: policies.FS}}
	for _, folder := range o.Folders {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return false, fmt.Errorf("%s: no such folder", folder)
		}
		sources = append(sources, ruletest.Source{Name: folder, FS: files.Folder(folder)})
	}
	report, err := ruletest.Run(ctx, ruletest.Options{
		Sources: sources, Author: author, Skip: o.Skip, MinCoverage: o.MinCoverage,
		Tolerated: func(f rules.Finding) bool { return f.Severity == rules.Info },
	})
	if err != nil {
		return false, err
	}
	return report.Summary.Faults == 0, write(out, report)
}

// writer checks the options and returns what writes the report.
func (o TestOptions) writer() (func(io.Writer, *ruletest.Report) error, error) {
	for _, name := range o.Skip {
		if !slices.Contains(Checks(), name) {
			return nil, fmt.Errorf("--skip %s: unknown check: want %s%s", name, strings.Join(Checks(), ", "), rules.DidYouMean(name, Checks()))
		}
	}
	if o.MinCoverage < 0 || o.MinCoverage > 100 {
		return nil, fmt.Errorf("--min-coverage %d: want a number from 0 to 100", o.MinCoverage)
	}
	for _, f := range formats {
		if f.name == o.Format {
			return f.write, nil
		}
	}
	return nil, fmt.Errorf("-o %s: unknown format: want %s", o.Format, strings.Join(TestFormats(), ", "))
}

// format is a way to write the report of a test.
type format struct {
	name  string
	write func(io.Writer, *ruletest.Report) error
}

// formats are how the report of a test is written. The first one is for people.
var formats = []format{
	{"text", writeText},
	{"json", func(w io.Writer, r *ruletest.Report) error { return plain.WriteJSON(w, r) }},
	{"junit", writeJUnit},
}

// TestFormats lists how the report of a test can be written.
func TestFormats() []string {
	return words.Of(formats, func(f format) string { return f.name })
}

func writeText(w io.Writer, r *ruletest.Report) error {
	var b strings.Builder
	for _, result := range r.Results {
		for _, check := range result.Checks {
			for _, f := range check.Faults {
				fmt.Fprintf(&b, "%s:%d: %s: %s\n", f.File, f.Line, label(check), f.Message)
			}
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	for _, result := range r.Results {
		verdict := "ok  "
		if result.Faults() > 0 {
			verdict = "FAIL"
		}
		fmt.Fprintf(&b, "%s  %s  %s\n", verdict, result.File, outline(result))
	}
	s := r.Summary
	fmt.Fprintf(&b, "\n%s: %d checks, %d test cases, %s\n", words.Count(s.Rules, "rule"), s.Checks, s.Tests, words.Count(s.Faults, "fault"))
	_, err := io.WriteString(w, plain.Text(b.String()))
	return err
}

func label(c ruletest.Check) string {
	if c.Test {
		return "test"
	}
	return c.Name
}

// outline says how much of a rule was checked.
func outline(r ruletest.Result) string {
	checks, tests := 0, 0
	var skipped []string
	for _, check := range r.Checks {
		switch {
		case check.Skipped:
			skipped = append(skipped, check.Name)
		case check.Test:
			tests++
		default:
			checks++
		}
	}
	out := words.Count(checks, "check") + ", " + words.Count(tests, "test")
	if r.Coverage != nil {
		out += fmt.Sprintf(", coverage %d%%", r.Coverage.Percent())
		if len(r.Coverage.Missed) > 0 {
			out += fmt.Sprintf(" (not line %s)", strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Coverage.Missed), " ", ", "), "[]"))
		}
	}
	if len(skipped) > 0 {
		out += ", skipped: " + strings.Join(skipped, ", ")
	}
	return out
}

// The JUnit report: a suite for each rule, a case for each check and each Rego test.
// https://github.com/jenkinsci/xunit-plugin, junit-10.xsd
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Skipped *struct{}     `xml:"skipped"`
		Failure *junitFailure `xml:"failure"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

func writeJUnit(w io.Writer, r *ruletest.Report) error {
	all := junitSuites{Name: "flux-remedy rules test"}
	for _, result := range r.Results {
		suite := junitSuite{Name: result.File}
		for _, check := range result.Checks {
			suite.add(check, result.File)
		}
		all.Suites = append(all.Suites, suite)
		all.Tests += suite.Tests
		all.Failures += suite.Failures
	}
	return plain.WriteXML(w, plain.Copy(all, plain.Text))
}

func (s *junitSuite) add(check ruletest.Check, class string) {
	made := junitCase{Name: check.Name, Class: class}
	s.Tests++
	if check.Skipped {
		s.Skipped++
		made.Skipped = &struct{}{}
	}
	if len(check.Faults) > 0 {
		s.Failures++
		var lines []string
		for _, f := range check.Faults {
			lines = append(lines, fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message))
		}
		made.Failure = &junitFailure{check.Faults[0].Message, strings.Join(lines, "\n")}
	}
	s.Cases = append(s.Cases, made)
}
