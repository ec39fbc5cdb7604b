package rules

import (
	"fmt"
	"maps"
	"strings"

	"golang.org/x/mod/semver"
)

// Input is what the policies see of a release, as input.
type Input struct {
	// Object is the HelmRelease as Flux will apply it, without its values.
	Object map[string]any `json:"object"`
	// Old is the object that an update replaces; absent for a creation.
	Old map[string]any `json:"old,omitempty"`
	// Effective are the failure settings as helm-controller resolves them;
	// absent when the API server would refuse the object.
	Effective *Settings `json:"effective,omitempty"`
	// Flipped are the settings if the controller's gate
	// DefaultToRetryOnFailure stood the other way.
	Flipped *Settings `json:"flipped,omitempty"`
	// Before are the settings of old; absent for a creation.
	Before *Settings `json:"before,omitempty"`
	// Overrides are the failure settings that the release's own document
	// writes in vain.
	Overrides []InputOverride `json:"overrides,omitempty"`
	// Controller will act on the release.
	Controller InputController `json:"controller"`
	// Prefer is the class that a fix leads to where it has the choice: retry
	// or bounded.
	Prefer Class `json:"prefer"`
	// Params are the parameters by rule and name.
	Params map[string]map[string]any `json:"params"`
}

// InputController is what the policies see of the controller.
type InputController struct {
	// Version is its complete semantic version without "v".
	Version string `json:"version"`
	// DefaultToRetryOnFailure is the gate of that name.
	DefaultToRetryOnFailure bool `json:"defaultToRetryOnFailure"`
	// UseHelm3Defaults is the gate of that name.
	UseHelm3Defaults bool `json:"useHelm3Defaults"`
	// CancelHealthCheckOnNewRevision is the gate of that name.
	CancelHealthCheckOnNewRevision bool `json:"cancelHealthCheckOnNewRevision"`
}

// InputOverride is what the policies see of an [Override].
type InputOverride struct {
	// Path is the field, as keys and indexes.
	Path []any `json:"path"`
	// Written is the value in the release's own document.
	Written any `json:"written"`
	// Effective is the value in force; null if a patch takes the field away.
	Effective any `json:"effective"`
}

// Input gives what the policies see of a release under a configuration; authors
// of rules test against it.
func (e *Engine) Input(r *Release, config *Config) (Input, error) {
	gates := r.Controller.Gates
	params, err := e.params(r.Tier, config)
	return Input{
		Object:    withoutValues(r.Object),
		Old:       withoutValues(r.Old),
		Effective: r.Settings,
		Flipped:   r.flipped,
		Before:    before(r),
		Overrides: overrides(r),
		Controller: InputController{
			Version:                        strings.TrimPrefix(semver.Canonical("v"+r.Controller.version()), "v"),
			DefaultToRetryOnFailure:        gates.DefaultToRetryOnFailure(),
			UseHelm3Defaults:               gates.UseHelm3Defaults(),
			CancelHealthCheckOnNewRevision: gates.CancelHealthCheckOnNewRevision(),
		},
		Prefer: config.prefer(),
		Params: params,
	}, err
}

// before gives the settings of the object that an update replaces; nil if there
// is none, or none that can be judged.
func before(r *Release) *Settings {
	if r.Old == nil {
		return nil
	}
	old, err := Decode(r.Old, r.Controller)
	if err != nil {
		return nil
	}
	return old.Settings
}

func overrides(r *Release) []InputOverride {
	var out []InputOverride
	for _, o := range r.Overridden {
		out = append(out, InputOverride{Path: o.Path, Written: o.Written, Effective: o.Effective})
	}
	return out
}

// params gives every rule's parameters in a tier, as Rego sees them.
func (e *Engine) params(tier Tier, config *Config) (map[string]map[string]any, error) {
	all := make(map[string]map[string]any, len(e.policy.rules))
	for _, rule := range e.policy.rules {
		given := config.Spec.Rules[rule.ID]
		own := make(map[string]any, len(rule.Params))
		for name, param := range rule.Params {
			written := param.Default
			for _, params := range []map[string]any{given.Params, given.Tiers[tier].Params} {
				if value, ok := params[name]; ok {
					written = value
				}
			}
			value, err := param.value(written)
			if err != nil {
				return nil, fmt.Errorf("spec.rules.%s: parameter %s: %w", rule.ID, name, err)
			}
			own[name] = value
		}
		all[rule.ID] = own
	}
	return all, nil
}

func withoutValues(object map[string]any) map[string]any {
	spec, ok := object["spec"].(map[string]any)
	if !ok {
		return object
	}
	object = maps.Clone(object)
	object["spec"] = without(spec, "values")
	return object
}
