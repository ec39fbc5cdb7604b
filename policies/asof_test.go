package policies_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// Rules of two synthetic versions: one that is new in 0.2.0, and silences others, and one
// that reports more since 0.3.0 and is more severe since 0.4.0.
const (
	newRule = `# METADATA
# title: New
# description: Is new.
# custom:
#   severity: {production: error, staging: warning, development: "off"}
#   since: 0.2.0
#   alone: true
package remedy.rules.visibility["new-rule"]
import data.remedy.lib
report contains lib.finding(["spec", "interval"], "is new")`

	tightRule = `# METADATA
# title: Tight
# description: Was tightened.
# custom:
#   severity: {production: error, staging: error, development: "off"}
#   since: 0.1.0
#   tightened:
#   - {version: 0.3.0, what: Also timeouts above half an hour.}
#   - {version: 0.4.0, what: An error in staging., was: {staging: info}}
package remedy.rules.visibility["tight-rule"]
import data.remedy.lib
report contains lib.finding(["spec", "timeout"], "above an hour") if input.effective.timeout > 3600
report contains lib.since(lib.finding(["spec", "timeout"], "above half an hour"), "0.3.0") if {
	input.effective.timeout > 1800
	input.effective.timeout <= 3600
}`
)

// A rule that has a stricter default since 0.3.0, and an even stricter one since 0.5.0.
const strictRule = `# METADATA
# title: Strict
# description: Has other defaults.
# custom:
#   severity: {production: error, staging: error, development: "off"}
#   since: 0.1.0
#   params:
#     max: {type: duration, default: 10m, description: The longest.}
#   tightened:
#   - {version: 0.3.0, what: Timeouts above half an hour., params: {max: 1h}}
#   - {version: 0.5.0, what: Timeouts above ten minutes., params: {max: 30m}}
package remedy.rules.visibility["strict-rule"]
import data.remedy.lib
report contains lib.finding(["spec", "timeout"], "too long") if input.effective.timeout > input.params["strict-rule"].max`

// A default that was tightened is the one of the version that a team is ready for, unless the
// configuration sets the parameter.
func TestDefaultsAsOf(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS, fstest.MapFS{"strict.rego": {Data: []byte(strictRule)}})
	if err != nil {
		t.Fatal(err)
	}
	digests := map[rules.Digest]bool{}
	for _, tc := range []struct {
		asOf, timeout, given string
		reports              bool
	}{
		{"", "20m", "", true},
		{"v0.5.0", "20m", "", true},
		{"v0.4.0", "20m", "", false},
		{"v0.4.0", "45m", "", true},
		{"v0.3.0", "45m", "", true},
		{"v0.2.0", "45m", "", false},
		{"v0.2.0", "90m", "", true},
		{"v0.2.0", "20m", "15m", true},
	} {
		config := &rules.Config{Spec: rules.ConfigSpec{RulesAsOf: tc.asOf}}
		if tc.given != "" {
			config.Spec.Rules = map[string]rules.RuleConfig{"strict-rule": {RuleSetting: rules.RuleSetting{Params: map[string]any{"max": tc.given}}}}
		}
		under, err := engine.Under(config)
		if err != nil {
			t.Fatal(err)
		}
		hr := bareRelease(t, tc.timeout)
		hr.Tier = release.Production
		verdict, err := under.Evaluate(t.Context(), hr, time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		found := slices.ContainsFunc(verdict.Findings, func(f rules.Finding) bool { return f.Rule == "strict-rule" })
		if found != tc.reports {
			t.Errorf("%+v: reports %t", tc, found)
		}
		digests[under.Digest()] = true
	}
	if len(digests) != 4 {
		t.Errorf("%d digests of four sets of defaults", len(digests))
	}
}

var update = flag.Bool("update", false, "rewrite testdata/defaults.txt")

// What a rule reports by default is in a table: whoever makes it stricter sees this fail.
func TestDefaultsStay(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "law %+v\n", rules.DefaultLaw())
	for _, rule := range engine.Rules() {
		fmt.Fprintf(&out, "%s %s %s %s\n", rule.ID, rule.Severity[release.Production], rule.Severity[release.Staging], rule.Severity[release.Development])
		for _, name := range slices.Sorted(maps.Keys(rule.Params)) {
			fmt.Fprintf(&out, "%s %s=%v\n", rule.ID, name, rule.Params[name].Default)
		}
	}
	if *update {
		if err := os.WriteFile("testdata/defaults.txt", []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/defaults.txt")
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("defaults have changed. A stricter one of a released version needs its version in custom.tightened, with \"was\" or "+
			"\"params\" for what it was before, so that spec.rulesAsOf holds it back; a law has none and stays. Then run "+
			"go test ./policies -run TestDefaultsStay -update, which writes testdata/defaults.txt:\n%s", out.String())
	}
}

func TestRulesAsOf(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS, fstest.MapFS{"new.rego": {Data: []byte(newRule)}, "tight.rego": {Data: []byte(tightRule)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		asOf, timeout, rule string
		tier                release.Tier
		given               rules.Severity // of the rule, by the configuration
		want                rules.Severity // empty if it does not report
		from                string
	}{
		{asOf: "", timeout: "2h", rule: "new-rule", want: rules.Error},
		{asOf: "v0.1.0", timeout: "2h", rule: "new-rule", want: rules.Warning, from: "v0.2.0"},
		{asOf: "v0.1.0", timeout: "2h", rule: "new-rule", tier: release.Staging, want: rules.Warning, from: "v0.2.0"},
		{asOf: "0.2.0", timeout: "2h", rule: "new-rule", want: rules.Error},
		{asOf: "v9.0.0", timeout: "2h", rule: "new-rule", want: rules.Error},
		{asOf: "v0.1.0", timeout: "2h", rule: "new-rule", given: rules.Error, want: rules.Error},
		{asOf: "v0.1.0", timeout: "2h", rule: "new-rule", given: rules.Off},
		// While it counts it silences others, and held back it does not.
		{asOf: "", timeout: "2h", rule: "tight-rule"},
		{asOf: "v0.1.0", timeout: "2h", rule: "tight-rule", want: rules.Error},
		{asOf: "v0.1.0", timeout: "45m", rule: "tight-rule", want: rules.Warning, from: "v0.3.0"},
		{asOf: "v0.1.0", timeout: "45m", rule: "tight-rule", given: rules.Error, want: rules.Warning, from: "v0.3.0"},
		{asOf: "v0.1.0", timeout: "10m", rule: "tight-rule"},
		{asOf: "v0.1.0", timeout: "2h", rule: "tight-rule", tier: release.Staging, want: rules.Info},
		{asOf: "v0.1.0", timeout: "2h", rule: "tight-rule", tier: release.Staging, given: rules.Warning, want: rules.Warning},
		{asOf: "v0.0.1", timeout: "2h", rule: "tight-rule", want: rules.Warning, from: "v0.1.0"},
	} {
		config := &rules.Config{Spec: rules.ConfigSpec{RulesAsOf: tc.asOf}}
		if tc.given != "" {
			config.Spec.Rules = map[string]rules.RuleConfig{tc.rule: {RuleSetting: rules.RuleSetting{Severity: tc.given}}}
		}
		under, err := engine.Under(config)
		if err != nil {
			t.Fatal(err)
		}
		hr := bareRelease(t, tc.timeout)
		if hr.Tier = tc.tier; tc.tier == "" {
			hr.Tier = release.Production
		}
		verdict, err := under.Evaluate(t.Context(), hr, time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		got := rules.Finding{}
		for _, f := range verdict.Findings {
			if f.Rule == tc.rule {
				got = f
			}
		}
		if got.Severity != tc.want || got.CountsFrom != tc.from || strings.Contains(got.Message, "from v") != (tc.from != "") {
			t.Errorf("%+v: %s that counts from %q: %s", tc, got.Severity, got.CountsFrom, got.Message)
		}
	}
}

// What is held back changes what judges, and so its digest; a version that holds nothing
// back does not.
func TestRulesAsOfDigest(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS, fstest.MapFS{"tight.rego": {Data: []byte(tightRule)}})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[rules.Digest]string{}
	for _, group := range [][]string{{"", "v0.4.0", "v9.0.0"}, {"v0.3.0", "0.3.7"}, {"v0.1.0", "v0.2.0"}, {"v0.0.1"}} {
		for _, asOf := range group {
			under, err := engine.Under(&rules.Config{Spec: rules.ConfigSpec{RulesAsOf: asOf}})
			if err != nil {
				t.Fatal(err)
			}
			if of, known := seen[under.Digest()]; known != (asOf != group[0]) || known && of != group[0] {
				t.Errorf("as of %q: the digest is that of %q", asOf, of)
			}
			seen[under.Digest()] = group[0]
		}
	}
}

// A rule that is held back leaves nothing undetermined either: it fails no run.
func TestRulesAsOfOpen(t *testing.T) {
	unknown := []release.Unknown{{Path: release.Path{"spec", "timeout"}, Reason: "unknown"}}
	for asOf, want := range map[string]bool{"": true, "v0.0.1": false} {
		engine, err := rules.New(t.Context(), policies.FS, fstest.MapFS{"tight.rego": {Data: []byte(tightRule)}})
		if err != nil {
			t.Fatal(err)
		}
		if engine, err = engine.Under(&rules.Config{Spec: rules.ConfigSpec{RulesAsOf: asOf}}); err != nil {
			t.Fatal(err)
		}
		verdict := judgeField(t, engine, map[string]any{}, release.Path{"spec", "timeout"}, "${X}", unknown)
		open := false
		for _, o := range verdict.Open {
			open = open || o.Rule == "tight-rule"
		}
		if open != want {
			t.Errorf("as of %q: open %t, want %t", asOf, open, want)
		}
	}
}

func TestHistoryRefused(t *testing.T) {
	for name, tc := range map[string]struct{ from, to, want string }{
		"no version":          {"since: 0.1.0", "since: soon", `custom.since: "soon" is no version`},
		"tightened before":    {"version: 0.3.0", "version: 0.0.3", "custom.tightened[0].version: 0.0.3 is not after custom.since"},
		"nothing is said":     {"what: Also timeouts above half an hour.", "what: ''", "custom.tightened[0].what"},
		"no tier":             {"was: {staging: info}", "was: {stagin: info}", "custom.tightened[1].was.stagin"},
		"an unknown severity": {"was: {staging: info}", "was: {staging: mild}", "custom.tightened[1].was.staging"},
		"tightened, no since": {"#   since: 0.1.0\n", "", "say in custom.since"},
	} {
		_, err := rules.New(t.Context(), policies.FS, fstest.MapFS{"x.rego": {Data: []byte(strings.Replace(tightRule, tc.from, tc.to, 1))}})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	for want, params := range map[string]string{
		"custom.tightened[0].params.min: the rule has no such parameter": "{min: 1h}",
		"custom.tightened[0].params.max: soon is no duration":            "{max: soon}",
	} {
		_, err := rules.New(t.Context(), policies.FS, fstest.MapFS{"x.rego": {Data: []byte(strings.Replace(strictRule, "{max: 1h}", params, 1))}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", params, err)
		}
	}
	undeclared := strings.Replace(tightRule, `"0.3.0")`, `"0.3.1")`, 1)
	engine, err := rules.New(t.Context(), policies.FS, fstest.MapFS{"x.rego": {Data: []byte(undeclared)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Evaluate(t.Context(), bareRelease(t, "45m"), time.Unix(0, 0)); err == nil || !strings.Contains(err.Error(), "no such version in custom.tightened") {
		t.Errorf("a finding since an undeclared version: %v", err)
	}
	if _, err := rules.ParseConfig([]byte("apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec: {rulesAsOf: latest}")); err == nil || !strings.Contains(err.Error(), "spec.rulesAsOf") {
		t.Errorf("rulesAsOf latest: %v", err)
	}
}

func bareRelease(t *testing.T, timeout string) *release.Release {
	t.Helper()
	retry := map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}}
	hr, err := release.Decode(map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": map[string]any{"name": "app", "namespace": "apps"},
		"spec": map[string]any{"interval": "1h", "timeout": timeout, "chartRef": map[string]any{"kind": "OCIRepository", "name": "app"}, "install": retry, "upgrade": retry},
	}, release.Controller{})
	if err != nil {
		t.Fatal(err)
	}
	hr.Tier = release.Production
	return hr
}
