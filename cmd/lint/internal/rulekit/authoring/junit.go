package authoring

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/internal/ruletest"
)

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
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(plain.Copy(all, plain.Text)); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
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
