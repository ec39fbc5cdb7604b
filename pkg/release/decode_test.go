package release_test

import (
	"errors"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"

	"sigs.k8s.io/yaml"
)

func TestDecodeSettings(t *testing.T) {
	const pair = "install: {strategy: {name: RetryOnFailure}}\nupgrade: {strategy: {name: RetryOnFailure, retryInterval: 90s}}"
	for name, tc := range map[string]struct {
		version    string
		spec       string
		controller release.Controller
		want       func(release.Settings) bool
	}{
		"defaults": {"v2", "", release.Controller{}, func(s release.Settings) bool {
			return s.Timeout.Duration == 5*time.Minute && s.MaxHistory == 5 && s.WaitStrategy == "poller" &&
				s.Install.Strategy == release.RemediateOnFailure && s.Install.Remediation == release.Uninstall &&
				s.Upgrade.Remediation == release.Rollback && !s.Upgrade.RemediateLastFailure &&
				s.Uninstall.DeletionPropagation == "background" && s.DriftDetection == "disabled"
		}},
		"retry": {"v2", pair, release.Controller{}, func(s release.Settings) bool {
			return s.Install.Strategy == release.RetryOnFailure && s.Install.RetryInterval.Duration == 5*time.Minute &&
				s.Upgrade.RetryInterval.Duration == 90*time.Second
		}},
		"last failure follows retries": {
			"v2", "upgrade: {remediation: {retries: 1}}",
			release.Controller{},
			func(s release.Settings) bool {
				return s.Upgrade.RemediateLastFailure && !s.Install.RemediateLastFailure
			},
		},
		"timeouts inherit": {"v2", "timeout: 20m\nrollback: {timeout: 1m}", release.Controller{}, func(s release.Settings) bool {
			return s.Install.Timeout.Duration == 20*time.Minute && s.Test.Timeout.Duration == 20*time.Minute &&
				s.Rollback.Timeout.Duration == time.Minute
		}},
		"ignored tests inherit": {
			"v2", "test: {ignoreFailures: true}\nupgrade: {remediation: {ignoreTestFailures: false}}",
			release.Controller{},
			func(s release.Settings) bool { return s.Install.IgnoreTestFailures && !s.Upgrade.IgnoreTestFailures },
		},
		"gate": {
			"v2", "",
			release.Controller{Gates: release.Gates{"DefaultToRetryOnFailure": true}},
			func(s release.Settings) bool { return s.Install.Strategy == release.RetryOnFailure },
		},
		"gate that the version lacks": {
			"v2", "",
			release.Controller{Version: "1.5.1", Gates: release.Gates{"DefaultToRetryOnFailure": true}},
			func(s release.Settings) bool { return s.Install.Strategy == release.RemediateOnFailure },
		},
		"gate beside a written strategy": {
			"v2", "install: {strategy: {name: RemediateOnFailure}}",
			release.Controller{Gates: release.Gates{"DefaultToRetryOnFailure": true}},
			func(s release.Settings) bool { return s.Install.Strategy == release.RemediateOnFailure },
		},
		"strategy that the version drops": {
			"v2", pair,
			release.Controller{Version: "1.3.0"},
			func(s release.Settings) bool { return s.Upgrade.Strategy == release.RemediateOnFailure },
		},
		"strategy under v2beta2": {
			"v2beta2", pair,
			release.Controller{Version: "1.4.5"},
			func(s release.Settings) bool { return s.Upgrade.Strategy == release.RemediateOnFailure },
		},
		"v2beta1 remediates": {
			"v2beta1", "upgrade: {remediation: {retries: 3}}",
			release.Controller{Version: "1.2.0"},
			func(s release.Settings) bool { return s.Upgrade.Retries == 3 },
		},
		"helm 3 defaults": {
			"v2", "",
			release.Controller{Gates: release.Gates{"UseHelm3Defaults": true}},
			func(s release.Settings) bool { return s.WaitStrategy == "legacy" },
		},
		"a key in another case is another key": {
			"v2", "Timeout: 5\ninstall: {Timeout: 5, Remediation: {retries: 3}}",
			release.Controller{},
			func(s release.Settings) bool { return s.Timeout.Duration == 5*time.Minute && s.Install.Retries == 0 },
		},
		"values of any shape": {
			"v2", "values: [1, {a: b}]",
			release.Controller{},
			func(s release.Settings) bool { return s.Interval.Duration == time.Hour },
		},
	} {
		t.Run(name, func(t *testing.T) {
			release := decode(t, tc.version, tc.spec, tc.controller)
			if release.Settings == nil || !tc.want(*release.Settings) {
				t.Errorf("settings %+v", release.Settings)
			}
		})
	}
}

// A value of a wrong type would be refused by the API server: there are no
// settings, and the rule invalid-value says which value it is.
func TestDecodeWrongTypes(t *testing.T) {
	for _, spec := range []string{
		`install: "no"`, "upgrade: {remediation: {retries: '3'}}", "timeout: 5", "interval: [1]", "upgrade: {disableWait: 1}",
		"install: {strategy: RetryOnFailure}", "timeout: 5 min",
	} {
		if release := decode(t, "v2", spec, release.Controller{}); release.Settings != nil {
			t.Errorf("%s: settings %+v, want none", spec, release.Settings)
		}
	}
}

func TestDecodeOthers(t *testing.T) {
	for _, text := range []string{
		"{}", "kind: HelmRelease", "apiVersion: helm.fluxcd.io/v1\nkind: HelmRelease",
		"apiVersion: helm.toolkit.fluxcd.io/v3\nkind: HelmRelease", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: Other",
		"apiVersion: 2\nkind: [HelmRelease]",
	} {
		if _, err := release.Decode(object(t, text), release.Controller{}); !errors.Is(err, release.ErrNotHelmRelease) {
			t.Errorf("%s: error %v, want ErrNotHelmRelease", text, err)
		}
	}
}

func TestDecodeLeavesTheObjectAlone(t *testing.T) {
	release := decode(t, "v2", "install: {strategy: {name: RetryOnFailure}}\nvalues: {a: 1}", release.Controller{Version: "1.3.0"})
	spec := release.Object["spec"].(map[string]any)
	if spec["values"] == nil || spec["install"].(map[string]any)["strategy"] == nil {
		t.Errorf("decoding changed the object: %v", spec)
	}
}

func TestPathString(t *testing.T) {
	for want, path := range map[string]release.Path{
		"":                                 {},
		"spec.upgrade.remediation.retries": {"spec", "upgrade", "remediation", "retries"},
		"spec.valuesFrom[0].name":          {"spec", "valuesFrom", 0, "name"},
		`metadata.annotations["a.b/c"]`:    {"metadata", "annotations", "a.b/c"},
	} {
		if got := path.String(); got != want {
			t.Errorf("%v is written %s, want %s", []any(path), got, want)
		}
	}
}

func decode(t *testing.T, version, spec string, controller release.Controller) *release.Release {
	t.Helper()
	o := object(t, "apiVersion: helm.toolkit.fluxcd.io/"+version+"\nkind: HelmRelease\nmetadata: {name: app, namespace: apps}")
	own := object(t, spec)
	if own == nil {
		own = map[string]any{}
	}
	if _, ok := own["interval"]; !ok {
		own["interval"] = "1h"
	}
	o["spec"] = own
	hr, err := release.Decode(o, controller)
	if err != nil {
		t.Fatal(err)
	}
	hr.Tier = release.Production
	return hr
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var o map[string]any
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}
