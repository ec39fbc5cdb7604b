package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// The JUnit report: a suite for each cluster, a case for each release. Errors
// are failures of their release, milder findings its output.
// https://github.com/jenkinsci/xunit-plugin, junit-10.xsd
type (
	testSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []*testSuite `xml:"testsuite"`
	}
	testSuite struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		// Judged says what judged; the root has no place for that.
		Judged *suiteFacts `xml:"properties"`
		Cases  []testCase  `xml:"testcase"`
	}
	suiteFacts struct {
		All []suiteFact `xml:"property"`
	}
	suiteFact struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	testCase struct {
		Name    string      `xml:"name,attr"`
		Class   string      `xml:"classname,attr"`
		Skipped *testResult `xml:"skipped"`
		Error   *testResult `xml:"error"`
		Failure *testResult `xml:"failure"`
		Output  string      `xml:"system-out,omitempty"`
	}
	testResult struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

func writeJUnit(w io.Writer, r Report, _ Options) error {
	all := &testSuites{Name: "flux-remedy"}
	skipped := map[release.Undetermined]bool{}
	for _, release := range r.Releases {
		c := caseOf(release, r.Findings)
		for _, u := range r.Undetermined {
			if u.Release == release.String() && u.Cluster == release.Cluster {
				c.Skipped, skipped[u] = &testResult{Message: "undetermined: " + u.Reason}, true
			}
		}
		all.suite(release.Cluster).add(c)
	}
	for _, f := range r.Findings {
		if !f.ofOne() {
			all.suite("").add(caseOfNone(f))
		}
	}
	for _, u := range r.Undetermined {
		if skipped[u] {
			continue
		}
		all.suite(u.Cluster).add(testCase{
			Name: cmp.Or(u.Release, place(u.File, u.Line, 0)), Class: u.File,
			Skipped: &testResult{Message: "undetermined: " + u.Text()},
		})
	}
	for _, u := range r.Unapplied {
		all.suite("").add(testCase{Name: cmp.Or(u.Release, place(u.File, u.Line, 0)), Class: u.File, Skipped: &testResult{Message: u.Reason}})
	}
	for _, p := range r.Problems {
		all.suite("").add(testCase{
			Name: place(p.File, p.Line, p.Column), Class: p.File,
			Error: &testResult{Message: p.Message, Type: "unreadable"},
		})
	}
	for _, s := range all.Suites {
		s.Judged = judgedBy(r.InForce)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	return plain.WriteXML(w, all)
}

// judgedBy returns what judged; nil if nothing did.
func judgedBy(by rules.InForce) *suiteFacts {
	if by.Digest == "" {
		return nil
	}
	out := &suiteFacts{[]suiteFact{{"policy.digest", by.Digest.String()}}}
	if by.Bundle != "" {
		out.All = append(out.All, suiteFact{"policy.bundle", by.Bundle})
	}
	return out
}

// suite returns the suite of a cluster, and adds it if there is none.
func (all *testSuites) suite(cluster string) *testSuite {
	name := cmp.Or(cluster, "no cluster")
	for _, s := range all.Suites {
		if s.Name == name {
			return s
		}
	}
	all.Suites = append(all.Suites, &testSuite{Name: name})
	return all.Suites[len(all.Suites)-1]
}

func (s *testSuite) add(c testCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Error != nil {
		s.Errors++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
}

// caseOf collects the findings of a release in its cluster.
func caseOf(release Release, findings []Finding) testCase {
	c := testCase{Name: release.String(), Class: release.File}
	var errors, output []string
	for _, f := range findings {
		if f.Release != release.Name || !f.concerns(release) {
			continue
		}
		severity := f.byTier()[release.Tier]
		line := fmt.Sprintf("%s: %s %s: %s", place(f.File, f.Line, f.Column), severity, f.Rule, f.Message)
		switch {
		case f.Waived != nil:
			output = append(output, "waived: "+line)
		case severity == rules.Error:
			errors = append(errors, line)
		default:
			output = append(output, line)
		}
	}
	if len(errors) > 0 {
		c.Failure = &testResult{Message: words.Count(len(errors), "error"), Type: "error", Text: strings.Join(errors, "\n")}
	}
	c.Output = strings.Join(output, "\n")
	return c
}

// caseOfNone returns a case for a finding that is of no single release.
func caseOfNone(f Finding) testCase {
	c := testCase{Name: f.Rule + " " + place(f.File, f.Line, f.Column), Class: f.File}
	if f.Severity == rules.Error {
		c.Failure = &testResult{Message: f.Message, Type: "error", Text: f.Message}
		return c
	}
	c.Output = fmt.Sprintf("%s: %s", f.Severity, f.Message)
	return c
}
