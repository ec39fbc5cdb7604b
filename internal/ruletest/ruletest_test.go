package ruletest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/flux-remedy/remedy/internal/ruletest"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

const rule = `# METADATA
# title: Is loud
# description: It is loud.
# related_resources: [{ref: https://example.com}]
# custom:
#   help: Be quiet.
#   severity: {production: error, staging: warning, development: "off"}
package remedy.rules.visibility.loud

import data.remedy.lib

report contains lib.finding(path, "it is loud") if {
	path := ["metadata", "annotations", "loud"]
	lib.written(path)
}
`

const tests = `package remedy.rules.visibility.loud_test

import data.remedy.lib.fixture
import data.remedy.rules.visibility.loud

test_loud if {
	count(loud.report) == 1 with input as fixture.raw(object.union(fixture.object_of({}), {"metadata": {"annotations": {"loud": "yes"}}}))
}
`

const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: app
  namespace: apps%s
spec:
  interval: 10m
  timeout: 5m
  chartRef: {kind: OCIRepository, name: app}
  install: {strategy: {name: RetryOnFailure}}
  upgrade: {strategy: {name: RetryOnFailure}}
`

// TestRun: what does not hold of a rule is said by the check that it belongs to, at its line; one that does not compile
// keeps no other from being tested.
func TestRun(t *testing.T) {
	bad, good := fmt.Sprintf(release, "\n  annotations: {loud: \"yes\"}"), fmt.Sprintf(release, "")
	for name, tc := range map[string]struct {
		change map[string]string
		want   []string // faults: the check, the place and what it says
	}{
		"holds":           {nil, nil},
		"no help":         {map[string]string{"loud.rego": strings.Replace(rule, "#   help: Be quiet.\n", "", 1)}, []string{"metadata own/visibility/loud/loud.rego:"}},
		"a mild staging":  {map[string]string{"loud.rego": strings.Replace(rule, "production: error", "production: info", 1)}, []string{"severities own/visibility/loud/loud.rego:7"}},
		"a quiet bad one": {map[string]string{"bad.yaml": good}, []string{"examples own/visibility/loud/bad.yaml:"}},
		"a loud good one": {map[string]string{"good.yaml": bad}, []string{"examples own/visibility/loud/good.yaml:"}},
		"a failing test":  {map[string]string{"loud_test.rego": strings.Replace(tests, "== 1", "== 2", 1)}, []string{"test_loud own/visibility/loud/loud_test.rego:"}},
		"does not compile": {
			map[string]string{"../quiet/quiet.rego": strings.Replace(strings.ReplaceAll(rule, "loud", "quiet"), "lib.written", "lib.writen", 1)},
			[]string{"compile own/visibility/quiet/quiet.rego:14"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			own := fstest.MapFS{}
			for file, text := range map[string]string{"loud.rego": rule, "loud_test.rego": tests, "bad.yaml": bad, "good.yaml": good} {
				if changed, is := tc.change[file]; is {
					text = changed
				}
				own["visibility/loud/"+file] = &fstest.MapFile{Data: []byte(text)}
			}
			if text, is := tc.change["../quiet/quiet.rego"]; is {
				own["visibility/quiet/quiet.rego"] = &fstest.MapFile{Data: []byte(text)}
			}
			report, err := ruletest.Run(t.Context(), ruletest.Options{
				Sources:   []ruletest.Source{{Name: "built-in", FS: policies.FS}, {Name: "own", FS: own}},
				Tolerated: func(f rules.Finding) bool { return f.Severity == rules.Info },
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, result := range report.Results {
				for _, check := range result.Checks {
					for _, fault := range check.Faults {
						got = append(got, fmt.Sprintf("%s %s:%d: %s", check.Name, fault.File, fault.Line, fault.Message))
					}
				}
			}
			if !slices.EqualFunc(got, tc.want, strings.HasPrefix) || report.Summary.Faults != len(got) {
				t.Errorf("%d faults: %q, want %q", report.Summary.Faults, got, tc.want)
			}
		})
	}
	_, err := ruletest.Run(t.Context(), ruletest.Options{Sources: []ruletest.Source{{Name: "built-in", FS: policies.FS}, {Name: "own", FS: fstest.MapFS{}}}})
	if none := (*ruletest.NoRuleError)(nil); !errors.As(err, &none) {
		t.Errorf("a folder without rules: %v", err)
	}
}
