package rules

import (
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// The configuration document: the file it is in, its apiVersion and its kind.
const (
	ConfigFile       = ".flux-remedy.yaml"
	ConfigAPIVersion = "flux-remedy.io/v1alpha1"
	ConfigKind       = "RemediationPolicy"
)

// Config is the one file that both programs read: a KRM document, strict, so
// that a misspelt field is an error. The zero value has every default.
type Config struct {
	// APIVersion is flux-remedy.io/v1alpha1.
	APIVersion string `json:"apiVersion" jsonschema:"enum=flux-remedy.io/v1alpha1"`
	// Kind is RemediationPolicy.
	Kind string `json:"kind" jsonschema:"enum=RemediationPolicy"`
	// Metadata is for tools that want a name; nothing here reads it.
	Metadata map[string]any `json:"metadata,omitempty"`
	// Spec is the policy.
	Spec ConfigSpec `json:"spec"`
}

// ConfigSpec is the policy of a repository or a cluster.
type ConfigSpec struct {
	// Extends is another configuration that this one builds on: a file (.yaml, .yml or .json)
	// or a bundle. What is set here replaces what is set there; tiers, clusters, overrides,
	// waivers, exemptions and globs are added. The path is relative to the root of the
	// repository around this file or, outside of a repository, to its folder.
	Extends string `json:"extends,omitempty"`
	// Policies names the rules beside the built-in ones, where no flag does.
	Policies PoliciesConfig `json:"policies,omitzero"`
	// DefaultTier is the tier of a release that nothing else classifies.
	// Default: production, the strictest.
	DefaultTier release.Tier `json:"defaultTier,omitempty"`
	// Tiers classify releases by where they are; the first match wins.
	Tiers []TierRule `json:"tiers,omitempty"`
	// TierMarkers says which annotations and labels flux-remedy.io/tier of a
	// release or its Namespace are followed: raise only those that name a stricter
	// tier, allow all, forbid none. Default: raise.
	TierMarkers release.Markers `json:"tierMarkers,omitempty" jsonschema:"enum=raise,enum=allow,enum=forbid"`
	// Clusters declares the clusters that are bootstrapped from outside of the
	// repository, so that their entries are not in it. Only the linter reads it.
	Clusters []ClusterConfig `json:"clusters,omitempty"`
	// Sources are the folders that hold the content of Flux sources, by
	// KIND/NAMESPACE/NAME, relative to the folder of the configuration. Only the
	// linter reads it; a folder outside of the repository needs --source.
	Sources map[string]string `json:"sources,omitempty"`
	// Controller describes the helm-controller that will act on the releases.
	Controller ControllerConfig `json:"controller,omitzero"`
	// Law sets the limits that several rules share.
	Law LawConfig `json:"law,omitzero"`
	// RulesAsOf holds back what later versions report: findings of rules that are newer,
	// and of what rules have come to report since, are warnings that fail no run and
	// deny nothing. Default: everything counts at once.
	RulesAsOf string `json:"rulesAsOf,omitempty"`
	// Rules sets severity and parameters by rule id.
	Rules map[string]RuleConfig `json:"rules,omitempty"`
	// Waivers accept findings for a reason and a time.
	Waivers WaiverConfig `json:"waivers,omitzero"`
	// Undetermined says what need not be judged.
	Undetermined UndeterminedConfig `json:"undetermined,omitzero"`
	// Baseline is the file of the findings that are known, relative to the folder of the
	// configuration. "flux-remedy lint" reads it where no flag names what is known, and
	// nothing else does.
	Baseline string `json:"baseline,omitempty"`
	// Admission is what only the webhook reads.
	Admission AdmissionConfig `json:"admission,omitzero"`
	// Audit is what only "flux-remedy audit" reads.
	Audit AuditConfig `json:"audit,omitzero"`
	// Fix says how findings are repaired.
	Fix FixConfig `json:"fix,omitzero"`
	// RulePages is the address of the folder that holds the pages of the built-in rules, to
	// which reports link, as https://git.example.com/acme/flux-remedy/blob/v0.1.0/policies/rules.
	// Default: that of the build, or no links.
	RulePages string `json:"rulePages,omitempty"`
	// Ignore lists globs of paths that are not read, relative to the root.
	Ignore []string `json:"ignore,omitempty"`
}

// TierRule puts what it matches in a tier.
type TierRule struct {
	// Tier is production, staging or development.
	Tier  release.Tier `json:"tier"`
	Match `json:",inline"`
}

// ControllerConfig is the helm-controller and where it differs.
type ControllerConfig struct {
	// Version of helm-controller, as 1.6.3. Default: the newest that is known.
	Version string `json:"version,omitempty"`
	// Gates are the feature gates given to it, by name.
	Gates release.Gates `json:"gates,omitempty"`
	// Overrides replace version and gates for what they match; the last
	// match wins, gate by gate.
	Overrides []ControllerOverride `json:"overrides,omitempty"`
}

// ControllerOverride is a different helm-controller for what it matches.
type ControllerOverride struct {
	Match `json:",inline"`
	// Version of helm-controller there.
	Version string `json:"version,omitempty"`
	// Gates given to it there.
	Gates release.Gates `json:"gates,omitempty"`
}

// Evidence adds what the configuration says of a place to the evidence of a tier.
func (c *Config) Evidence(e release.Evidence, place Place) release.Evidence {
	e.Configured, _ = c.TierOf(place)
	e.Default, e.Markers = c.DefaultTier(), c.Spec.TierMarkers
	return e
}

// TierOf returns the tier of the first entry of spec.tiers that matches a place, or
// that of its cluster in spec.clusters, and whether there is one.
func (c *Config) TierOf(place Place) (release.Tier, bool) {
	for _, rule := range c.Spec.Tiers {
		if rule.matches(place) {
			return rule.Tier, true
		}
	}
	if declared := c.cluster(place.Cluster); declared != nil && declared.Tier != "" {
		return declared.Tier, true
	}
	return "", false
}

// DefaultTier returns the tier of a release that nothing classifies.
func (c *Config) DefaultTier() release.Tier {
	if c.Spec.DefaultTier == "" {
		return release.Production
	}
	return c.Spec.DefaultTier
}

// Enforcement returns what the webhook does about errors in a tier.
func (c *Config) Enforcement(tier release.Tier) Enforcement { return c.Spec.Admission.in(tier) }

// Waivers returns the waivers of a release, valid or expired: first those of its
// annotations, then the configuration's entries. Each annotation that cannot be read or is
// beyond the limits is a [WaiverError].
func (c *Config) Waivers(r *release.Release, now time.Time) ([]Waiver, []*WaiverError) {
	return c.Spec.Waivers.of(r, now)
}

// ControllerAt returns the helm-controller for a place: base with the
// configuration's version and gates over it. Base is the controller that the tree
// installs, or the zero value.
func (c *Config) ControllerAt(place Place, base release.Controller) release.Controller {
	out := base.With(c.Spec.Controller.Version, c.Spec.Controller.Gates)
	if declared := c.cluster(place.Cluster); declared != nil {
		out = out.With(declared.Controller.Version, declared.Controller.Gates)
	}
	for _, o := range c.Spec.Controller.Overrides {
		if o.matches(place) {
			out = out.With(o.Version, o.Gates)
		}
	}
	return out
}

// Ignores reports whether spec.ignore matches a path relative to the root.
func (c *Config) Ignores(path string) bool {
	return matchAny(c.Spec.Ignore, path)
}
