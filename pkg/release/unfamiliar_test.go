package release

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

var enumLine = regexp.MustCompile(`"([^"]+)": \{"type": "string", "enum": \["([^\]]+)"\]`)

// TestWords holds the known values of failure settings to the table that is generated from
// the API's markers.
func TestWords(t *testing.T) {
	text, err := os.ReadFile("../../policies/lib/fields.rego")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for _, match := range enumLine.FindAllStringSubmatch(string(text), -1) {
		if section, _, _ := strings.Cut(match[1], "."); slices.Contains(failureSections, section) {
			want[match[1]] = strings.Split(match[2], `", "`)
		}
	}
	if len(want) < 10 || fmt.Sprint(want) != fmt.Sprint(words) {
		t.Errorf("known are %v, the API has %v", words, want)
	}
}

// TestDecodeAdmitted reads objects of APIs that nobody has made.
func TestDecodeAdmitted(t *testing.T) {
	for spec, want := range map[string]struct {
		unfamiliar string
		install    Strategy
		retries    int // of the upgrade
	}{
		`{}`: {"[]", RemediateOnFailure, 0},
		`{install: {strategy: {name: RetryOnFailure}}, upgrade: {remediation: {retries: 3}}}`:                {"[]", RetryOnFailure, 3},
		`{install: {strategy: {name: Canary, steps: [1]}}, upgrade: {remediation: {retries: 3, delay: 1m}}}`: {"[spec.install.strategy.name spec.install.strategy.steps spec.upgrade.remediation.delay]", "Canary", 3},
		`{upgrade: {remediation: {retries: "50%", strategy: pause}}}`:                                        {"[spec.upgrade.remediation.retries spec.upgrade.remediation.strategy]", RemediateOnFailure, 0},
		`{upgrade: {remediation: [3]}, install: RetryOnFailure}`:                                             {"[spec.install spec.upgrade.remediation]", RemediateOnFailure, 0},
		`{timeout: 300, maxHistory: 5%, upgrade: {remediation: {retries: 3}}}`:                               {"[spec.maxHistory spec.timeout]", RemediateOnFailure, 3},
		`{dependsOn: {a: b}, chart: 5, valuesFrom: [[]], other: 1, upgrade: {remediation: {retries: 3}}}`:    {"[]", RemediateOnFailure, 3},
		`{test: {filters: [{name: a, skip: true}], enable: "yes"}, driftDetection: {mode: repair}}`:          {"[spec.driftDetection.mode spec.test.enable spec.test.filters[0].skip]", RemediateOnFailure, 0},
		`{values: {install: {strategy: 5}}, waitStrategy: {name: watcher}, uninstall: {keepHistory: null}}`:  {"[spec.waitStrategy.name]", RemediateOnFailure, 0},
		`[]`: {"[]", "", 0},
	} {
		var value any
		if err := yaml.Unmarshal([]byte(spec), &value); err != nil {
			t.Fatal(err)
		}
		object := map[string]any{"apiVersion": Group + "/v2", "kind": "HelmRelease", "spec": value}
		got, err := DecodeAdmitted(object, Controller{Version: "1.3.0"})
		if err != nil {
			t.Fatal(err)
		}
		if got.Settings == nil {
			got.Settings = &Settings{}
		}
		if text := fmt.Sprint(got.Unfamiliar); text != want.unfamiliar || got.Settings.Install.Strategy != want.install || got.Settings.Upgrade.Retries != want.retries {
			t.Errorf("%s: unfamiliar %s, install %s, retries %d, want %v", spec, text, got.Settings.Install.Strategy, got.Settings.Upgrade.Retries, want)
		}
	}
}
